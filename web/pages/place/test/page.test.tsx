import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { PackageTest } from './page.tsx'

const manifest = JSON.stringify({ name: 'shop', dependencies: { lodash: '4.17.4' } })
const lockfile = JSON.stringify({
  name: 'shop',
  lockfileVersion: 3,
  packages: { '': { dependencies: { lodash: '4.17.4' } }, 'node_modules/lodash': { version: '4.17.4' } },
})

describe('package test page', () => {
  const server = useConsoleServer({ GATEHOUSE_TEST_WORKERS: '1' })

  function open() {
    server().connect()
    render(<PackageTest />, { at: `/orgs/${server().orgId}/test`, route: '/orgs/:placeId/test' })
  }
  const fields = (number: number) => within(screen.getByRole('group', { name: `File ${number}` }))
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  const choose = (files: Record<string, string>) => {
    const input = screen.getByLabelText('Manifests and lockfiles')
    const chosen = Object.entries(files).map(([name, text]) => new File([text], name))
    fireEvent.change(input, { target: { files: chosen } })
  }
  const pathsOf = () => screen.getAllByRole<HTMLInputElement>('textbox', { name: 'Path' }).map((input) => input.value)

  test('package test: a missing or repeated path is marked at its field and nothing is sent', async () => {
    open()
    press('Test')
    assert.match(fields(1).getByRole('textbox', { name: 'Path' }).getAttribute('aria-invalid') ?? '', /true/)
    await screen.findByText(/^Required/)
    choose({ 'package.json': manifest })
    await waitFor(() => assert.deepEqual(pathsOf(), ['package.json']))
    press('Add a file')
    fireEvent.change(fields(2).getByRole('textbox', { name: 'Path' }), { target: { value: 'package.json' } })
    fireEvent.change(fields(2).getByRole('textbox', { name: 'Contents' }), { target: { value: '{}' } })
    press('Test')
    assert.equal((await screen.findAllByText('Another file has this path')).length, 2)
    press('Remove file 2')
    assert.deepEqual(pathsOf(), ['package.json'])
  })

  test('package test: a file chosen again replaces the one with its path', async () => {
    open()
    choose({ 'package.json': '{}', 'package-lock.json': lockfile })
    await waitFor(() => assert.deepEqual(pathsOf(), ['package.json', 'package-lock.json']))
    choose({ 'package.json': manifest })
    await waitFor(() => assert.deepEqual(pathsOf(), ['package-lock.json', 'package.json']))
    assert.equal(fields(2).getByRole<HTMLTextAreaElement>('textbox', { name: 'Contents' }).value, manifest)
  })

  test('package test: shows a result per project and names files that were not tested', async () => {
    open()
    choose({
      'package.json': manifest,
      'package-lock.json': lockfile,
      'requirements.txt': '# none\n',
      Berksfile: "cookbook 'nginx'\n",
    })
    await waitFor(() => assert.equal(pathsOf().length, 4))
    press('Test')
    const results = within(await screen.findByRole('region', { name: 'Results' }))
    assert.match((await results.findByText('Not tested')).closest('[role=status]')?.textContent ?? '', /Berksfile/)
    const npm = within(results.getByRole('region', { name: 'Result of package.json' }))
    assert.match(npm.getByRole('table', { name: 'Vulnerabilities' }).textContent ?? '', /lodash@4\.17\.4/)
    results.getByRole('region', { name: 'Result of requirements.txt' })
    assert.ok(document.activeElement?.contains(npm.getByRole('table')), 'the results have the focus')
  })

  test('package test: lists every supported format with its files', () => {
    open()
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'))
    const { parameters } = paths['/v1/test/files'].post as {
      parameters: { name: string; schema: { enum?: string[] } }[]
    }
    const served = parameters.find(({ name }) => name === 'packageManager')?.schema.enum ?? []
    assert.ok(served.length > 0)
    const formats = screen.getByText(`Reads ${served.length} formats:`).closest('details')!
    const summary = formats.querySelector('summary')!.textContent
    for (const name of ['npm', 'Bun', 'Poetry', 'Go modules', 'Bill of materials'])
      assert.ok(summary.includes(name), name)
    assert.equal(formats.querySelectorAll('dt').length, served.length)
    within(formats).getByText('gradle.lockfile')
  })

  test('package test: files without a manifest get an alert with the reason', async () => {
    open()
    choose({ 'notes.txt': 'hello' })
    await waitFor(() => assert.deepEqual(pathsOf(), ['notes.txt']))
    press('Test')
    await screen.findByText('Test failed')
    await screen.findByText(/None of the files is the manifest of a testable project/)
  })
})
