import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { CiPage } from './page.tsx'

describe('CI recipes page', () => {
  const server = useConsoleServer()
  beforeEach(() => server().connect())
  const open = () => render(<CiPage />, { at: `/orgs/${server().orgId}/ci`, route: '/orgs/:placeId/ci' })

  test('CI recipes: the key is shown once; it tests packages and reads no projects', async () => {
    const { user } = open()
    const name = screen.getByLabelText(/^Name/)
    await user.clear(name)
    await user.type(name, 'shop pipeline')
    await user.click(screen.getByRole('button', { name: 'Create key' }))
    const { value: key } = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'API key' })
    assert.match(screen.getByRole('alert').textContent, /shown only once/)
    screen.getByRole('link', { name: 'shop pipeline' })
    assert.equal((await server().call('GET', '/v1/test/npm/left/1.0.0', { key })).statusCode, 200)
    const projects = await server().call('GET', `/rest/orgs/${server().orgId}/projects`, { key })
    assert.match(projects.body, /org\.project\.read/)
    assert.equal(projects.statusCode, 403)
    const bill = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [] }
    const monitored = await server().call('POST', '/v1/monitor/sbom?name=shop', { key, body: bill })
    assert.equal(monitored.statusCode, 200, monitored.body)
  })

  test('CI recipes: each CI system has its files, with the address of this server', async () => {
    const { user, address } = open()
    screen.getByRole('group', { name: '.github/workflows/gatehouse.yml' })
    for (const [system, file] of [
      ['GitLab CI', '.gitlab-ci.yml'],
      ['Jenkins', 'Jenkinsfile'],
      ['Shell', 'gatehouse.sh'],
    ] as const) {
      await user.click(screen.getByRole('radio', { name: system }))
      const { textContent } = screen.getByRole('group', { name: file })
      assert.ok(textContent.includes(location.origin), textContent)
      assert.doesNotMatch(textContent, /example/)
    }
    assert.match(address(), /\?system=shell$/)
  })

  test('CI recipes: a taken name keeps its input', async () => {
    const { orgId } = server()
    const attributes = { name: 'ci', auth_type: 'api_key', role_id: '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0005' }
    const body = { data: { type: 'service_account', attributes } }
    assert.equal((await server().call('POST', `/rest/orgs/${orgId}/service_accounts`, { body })).statusCode, 201)
    const { user } = open()
    await user.click(screen.getByRole('button', { name: 'Create key' }))
    assert.match((await screen.findByRole('alert')).textContent, /Key not created.*name-taken/)
    assert.equal(screen.getByLabelText<HTMLInputElement>(/^Name/).value, 'ci')
  })
})
