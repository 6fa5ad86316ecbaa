import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { type Download, downloads, readDownload } from '../../../api/project-downloads.ts'
import { readProject } from '../../../api/projects.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { toCsv } from '../../../ui/files.ts'
import { DownloadMenu, ExportMenu } from './download-menu.tsx'

describe('downloads of a project', () => {
  const server = useConsoleServer()
  const { createObjectURL } = URL
  const saved: { name: string; content: Blob }[] = []
  let projectId: string
  before(async () => {
    const issues = [{ id: 'GHSA-1', in: 'a@1.0.0', severity: 'high' }] as const
    const graph = { shop: ['a@1.0.0'], 'a@1.0.0': [] }
    projectId = (await recordProject(server(), { name: 'shop: a/b', graph, issues })).projectId
    // The console passes the file to this function; the clicked link has its name.
    URL.createObjectURL = (content) => {
      saved.push({ name: '', content: content as Blob })
      return 'blob:saved'
    }
  })
  beforeEach(() => saved.splice(0))
  after(() => {
    URL.createObjectURL = createObjectURL
  })

  async function choose(label: string, id = projectId) {
    server().connect()
    const project = await readProject(server().orgId, projectId)
    const read = (download: Download) => readDownload(server().orgId, id, download)
    const { user } = render(<DownloadMenu name={project.attributes.name} choices={downloads} read={read} />)
    await press(user, label)
  }

  async function press(user: UserEvent, label: string) {
    const follow = HTMLAnchorElement.prototype.click
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      saved.at(-1)!.name = this.download
    }
    try {
      await user.selectOptions(screen.getByRole('combobox', { name: 'Download' }), label)
      await waitFor(() => assert.ok(saved.some(({ name }) => name !== '') || screen.queryByRole('alert') !== null))
    } finally {
      HTMLAnchorElement.prototype.click = follow
    }
  }

  const documents: [label: string, name: string, content: RegExp][] = [
    ['CycloneDX (JSON)', 'shop-a-b.cdx.json', /"specVersion": ?"1\.6"/],
    ['CycloneDX (XML)', 'shop-a-b.cdx.xml', /<bom xmlns="http:\/\/cyclonedx\.org\/schema\/bom\/1\.6"/],
    ['SPDX (JSON)', 'shop-a-b.spdx.json', /"spdxVersion": ?"SPDX-2\.3"/],
    ['VEX (OpenVEX)', 'shop-a-b.vex.json', /openvex/],
    ['SARIF', 'shop-a-b.sarif', /"version": ?"2\.1\.0"/],
    [
      'Issues (CSV)',
      'shop-a-b.csv',
      /^Project,Repository,.*\r\nshop: a\/b,.*,GHSA-1,,vulnerability,high,.*\/vuln\/GHSA-1,[^\n]*\r\n$/,
    ],
  ]
  for (const [label, name, content] of documents) {
    test(`download of ${label}: saved under the name of the project`, async () => {
      await choose(label)
      assert.equal(saved.length, 1)
      assert.equal(saved[0]!.name, name)
      assert.match(await saved[0]!.content.text(), content)
    })
  }

  for (const [label, name, content] of [
    ['Issues (CSV)', 'repository.csv', /^Project,Repository,.*\r\nshop: a\/b,/],
    ['Report (to print)', 'repository.html', /<h1>shop: a\/b: vulnerabilities<\/h1>/],
    ['CycloneDX (JSON)', 'repository.cdx.json', /"type":"application","bom-ref":"project:/],
  ] as const) {
    test(`download of ${label} of a repository: saved as ${name}`, async () => {
      server().connect()
      const { relationships } = await readProject(server().orgId, projectId)
      const { user } = render(<ExportMenu orgId={server().orgId} targetId={relationships.target.data.id} />)
      await press(user, label)
      assert.equal(saved[0]!.name, name)
      assert.match(await saved[0]!.content.text(), content)
    })
  }

  test('refused download: shows an alert and saves nothing', async () => {
    await choose('SARIF', '00000000-0000-4000-8000-000000000000')
    assert.match(screen.getByRole('alert').textContent, /Could not download the file/)
    assert.deepEqual(saved, [])
  })

  test('CSV cells: quoted where needed; formulas are disarmed', () => {
    const rows = [
      ['a', 'b,c', 'd"e', 'f\ng'],
      ['=1+1', '+1', '-1', '@x'],
    ]
    assert.equal(toCsv(rows), `a,"b,c","d""e","f\ng"\r\n'=1+1,'+1,'-1,'@x\r\n`)
  })
})
