import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Permission } from '#foundation/access/permissions.ts'
import type { TestApp } from '../servers/app.ts'
import { createAccount, newAccount, ofGroup, ofOrg, secretsBody } from './accounts.ts'
import { createIn, type FormUnderTest, formsUnderTest } from './app-forms.ts'
import { type App, appSecrets, createApp, inGroup, inOrg, install, newInstall, unattended } from './apps.ts'
import { type Attempt, addRole, theirs } from './attempts.ts'
import type { Word } from './members.ts'

const elsewhere = 'https://elsewhere.example/callback'

export function attemptsOnPrograms(app: () => TestApp): Attempt[] {
  return [
    ...formsUnderTest.filter(({ name }) => !name.endsWith('wrapped')).flatMap((form) => onApps(app, form)),
    ...onInstalls(app),
    ...onServiceAccounts(app),
  ]
}

function onApps(app: () => TestApp, form: FormUnderTest): Attempt[] {
  const list = form.isDeprecated ? '/rest/orgs/:org_id/apps' : '/rest/orgs/:org_id/apps/creations'
  const one = `${list}/${form.isDeprecated ? ':client_id' : ':app_id'}`
  const made = () => createIn(app(), form, { scopes: theirs })
  const path = (target: App) => form.one(app().orgId, target)
  const edit = { word: 'org', permission: 'org.app.edit' } as const
  const patch = (what: string, attributes: object, authority: readonly Permission[] = []): Attempt => ({
    ...{ ...edit, operation: `PATCH ${one}`, what, authority },
    send: async (key) => app().call('PATCH', path(await made()), { key, body: form.body(attributes) }),
  })
  const secrets = (mode: string, authority: readonly Permission[] = []): Attempt => ({
    ...{ ...edit, operation: `POST ${one}/secrets`, what: `${mode} a secret`, authority },
    async send(key) {
      const target = await made()
      const first = target.attributes['client_secret']
      await app().call('POST', `${path(target)}/secrets`, { body: form.body({ mode: 'create' }) })
      const body = form.body(mode === 'delete' ? { mode, secret: first } : { mode })
      if (mode === 'create') {
        // At most two work.
        await app().call('POST', `${path(target)}/secrets`, { body: form.body({ mode: 'delete', secret: first }) })
      }
      return app().call('POST', `${path(target)}/secrets`, { key, body })
    },
  })
  return [
    {
      ...{ operation: `POST ${list}`, what: 'with any scopes', word: 'org', permission: 'org.app.create' },
      send: (key) =>
        app().call('POST', form.list(app().orgId), {
          key,
          body: form.body({ name: 'New', redirect_uris: [elsewhere], scopes: theirs }),
        }),
    },
    patch('another redirect URI', { redirect_uris: [elsewhere] }, theirs),
    patch('one more redirect URI', { redirect_uris: ['https://app.example/callback', elsewhere] }, theirs),
    patch('name, lifetime and the same redirect URIs', {
      ...{ name: 'Renamed', access_token_ttl_seconds: 7200, redirect_uris: ['https://app.example/callback'] },
    }),
    secrets('create', theirs),
    secrets('replace', theirs),
    secrets('delete'),
    {
      ...{ operation: `DELETE ${one}`, what: 'deletes the app', word: 'org', permission: 'org.app.delete' },
      send: async (key) => app().call('DELETE', path(await made()), { key }),
    },
    ...(form.isDeprecated ? [] : [endsSecret({ ...edit, one, makePath: async () => path(await made()) }, app)]),
  ]
}

/** Ends the older of two secrets by its id. */
function endsSecret(
  target: { word: Word; permission: Permission; one: string; makePath(): Promise<string>; type?: string },
  app: () => TestApp,
): Attempt {
  const { word, permission, one, makePath, type = 'app' } = target
  return {
    ...{ word, permission, operation: `DELETE ${one}/secrets/:secret_id`, what: 'deletes a secret' },
    async send(key) {
      const path = `${await makePath()}/secrets`
      const made = await app().call('POST', path, { body: { data: { type, attributes: { mode: 'create' } } } })
      assert.equal(made.statusCode, 200, made.body)
      const secrets = await app().call('GET', path)
      return app().call('DELETE', `${path}/${secrets.json().data[0].id}`, { key })
    },
  }
}

function onInstalls(app: () => TestApp): Attempt[] {
  return [inOrg, inGroup].flatMap((at): Attempt[] => {
    const word = at.level === 'Org' ? 'org' : 'group'
    const list = `/rest/${word}s/:${word}_id/apps/installs`
    const [revoke, edit] = [at.permission('install'), at.permission('edit')]
    const made = async () => {
      const { id } = await install(app(), at.path(app()), { scopes: theirs })
      return `${at.path(app())}/${id}`
    }
    const secrets = (mode: string): Attempt => ({
      ...{ word, permission: edit, operation: `POST ${list}/:install_id/secrets`, what: `${mode} a secret` },
      authority: theirs,
      send: async (key) => app().call('POST', `${await made()}/secrets`, { key, body: appSecrets(mode) }),
    })
    return [
      {
        ...{ word, permission: revoke, operation: `POST ${list}`, what: 'installs an app', authority: theirs },
        async send(key) {
          const { id } = await createApp(app(), { ...unattended, scopes: theirs })
          return app().call('POST', at.path(app()), { key, body: newInstall(id) })
        },
      },
      {
        ...{ word, permission: revoke, operation: `DELETE ${list}/:install_id`, what: 'revokes an install' },
        send: async (key) => app().call('DELETE', await made(), { key }),
      },
      secrets('create'),
      secrets('replace'),
      endsSecret({ word, permission: edit, one: `${list}/:install_id`, makePath: made }, app),
      ...(word === 'group' ? [] : [revokesBot(app)]),
    ]
  })
}

function revokesBot(app: () => TestApp): Attempt {
  return {
    ...{ word: 'org', permission: 'org.app.install', what: 'revokes an install' },
    operation: 'DELETE /rest/orgs/:org_id/app_bots/:bot_id',
    async send(key) {
      const { id } = await install(app(), inOrg.path(app()), { scopes: theirs })
      return app().call('DELETE', `/rest/orgs/${app().orgId}/app_bots/${id}`, { key, query: { version: '2022-03-11' } })
    },
  }
}

function onServiceAccounts(app: () => TestApp): Attempt[] {
  return [ofOrg, ofGroup].flatMap((owner): Attempt[] => {
    const word = owner.level === 'Org' ? 'org' : 'group'
    const list = `/rest/${word}s/:${word}_id/service_accounts`
    const one = `${list}/:serviceaccount_id`
    const edit = owner.permission('edit')
    const made = async () => {
      const role_id = await addRole(app(), theirs)
      const { id } = await createAccount(app(), owner.path(app()), { auth_type: 'oauth_client_secret', role_id })
      return { id, path: `${owner.path(app())}/${id}` }
    }
    const creates = (auth_type: string, more: object = {}): Attempt => ({
      ...{ word, permission: owner.permission('create'), operation: `POST ${list}`, what: `with ${auth_type}` },
      authority: theirs,
      async send(key) {
        const body = newAccount({ auth_type, role_id: await addRole(app(), theirs), ...more })
        return app().call('POST', owner.path(app()), { key, body })
      },
    })
    const secrets = (mode: string): Attempt => ({
      ...{ word, permission: edit, operation: `POST ${one}/secrets`, what: `${mode} a secret`, authority: theirs },
      send: async (key) => app().call('POST', `${(await made()).path}/secrets`, { key, body: secretsBody(mode) }),
    })
    return [
      creates('api_key'),
      creates('oauth_client_secret'),
      creates('oauth_private_key_jwt', { jwks_url: 'https://keys.example/jwks' }),
      {
        ...{ word, permission: edit, operation: `PATCH ${one}`, what: 'renames an account' },
        async send(key) {
          const { id, path } = await made()
          const body = { data: { id, type: 'service_account', attributes: { name: randomUUID() } } }
          return app().call('PATCH', path, { key, body })
        },
      },
      {
        ...{ word, permission: owner.permission('delete'), operation: `DELETE ${one}`, what: 'deletes an account' },
        send: async (key) => app().call('DELETE', (await made()).path, { key }),
      },
      secrets('create'),
      secrets('replace'),
      endsSecret(
        { ...{ word, permission: edit, one, type: 'service_account' }, makePath: async () => (await made()).path },
        app,
      ),
    ]
  })
}
