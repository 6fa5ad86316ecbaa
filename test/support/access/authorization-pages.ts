import assert from 'node:assert/strict'
import type { AppRow } from '#features/apps/store.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import type { TestApp } from '../servers/app.ts'
import { addPerson, type Person, signIn } from './people.ts'
import { addApp } from './tokens.ts'
import { createVisitor, decoded, type Shown, type Visitor } from './visitor.ts'

/** The scopes of a scene's app. */
export const scopes = ['org.read', 'org.project.read'] satisfies Permission[]

/** An app, a user who may authorize it in the first organization, and their browser. */
export interface Scene {
  readonly client: AppRow
  readonly person: Person
  readonly visitor: Visitor
}

let addresses = 0

/** Each visitor has an address of their own, so that one test's failures do not slow down another. */
export async function setScene(app: TestApp): Promise<Scene> {
  addresses++
  return {
    client: await addApp(app, { scopes }),
    person: await addPerson(app, { permissions: scopes, orgId: app.orgId }),
    visitor: createVisitor(app, `10.0.${addresses >> 8}.${addresses & 255}`),
  }
}

export function authorizeUrl(client: AppRow, parameters: Record<string, string> = {}): string {
  return `/oauth2/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id!,
    redirect_uri: (JSON.parse(client.redirect_uris) as string[])[0]!,
    state: 'the state',
    ...parameters,
  })}`
}

/** Browser actions of the flow, by default in the scene's browser. */
export function actionsIn(app: () => TestApp, scene: () => Scene) {
  const begin = (by = scene().visitor, client = scene().client) => by.open(authorizeUrl(client))
  return {
    inOrg: (id = app().orgId) => `org:${id}`,
    begin,
    ask: async (by = scene().visitor, client = scene().client, who = scene().person) =>
      signIn(by, await begin(by, client), who),
    allow: (page: Shown, ...places: string[]) => scene().visitor.press(page, 'Allow', { place: places }),
    installsOf: (userId: string) =>
      app()
        .parts.services.db.selectFrom('app_installs')
        .select((eb) => [eb.fn.coalesce('org_id', 'group_id').as('place'), 'bot_id'])
        .where('user_id', '=', userId)
        .where('app_id', '=', scene().client.id)
        .orderBy('created_at')
        .orderBy('place')
        .execute(),
    sessionsOf: (userId: string) =>
      app().parts.services.db.selectFrom('app_sessions').selectAll().where('user_id', '=', userId).execute(),
    async eventsOf(actorId: string): Promise<string[]> {
      const query = { actor_id: actorId, limit: '100' }
      const answer = await app().call('GET', `/rest/groups/${app().groupId}/audit_logs`, { query })
      return answer.json().data.map(({ attributes }: { attributes: { action: string } }) => attributes.action)
    },
  }
}

/** Returns the offered places and those selected. */
export function offered(page: Shown): string[] {
  return [...page.body.matchAll(/name="place" value="([^"]*)"/g)].map(([, value]) => value!)
}

export function ticked(page: Shown): string[] {
  return [...page.body.matchAll(/<input type="checkbox"[^>]*value="([^"]*)" checked>/g)].map(([, value]) => value!)
}

/** Asserts properties of every page: not cached, not framed, without scripts. */
export function assertPage(page: Shown, status: number, title: RegExp): void {
  assert.equal(page.status, status, page.body)
  assert.match(decoded(/<h1>([\s\S]*?)<\/h1>/.exec(page.body)?.[1] ?? ''), title)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(page.headers['cache-control'], 'no-store')
  assert.equal(page.headers['referrer-policy'], 'no-referrer')
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; .*frame-ancestors 'none'$/)
  assert.equal(page.headers['location'], undefined)
  assert.match(page.body, /<html lang="en">/)
  assert.doesNotMatch(page.body, / (style|on[a-z]+)="|<style|<script/)
}

/** Asserts that the browser was redirected to the app with these parameters. */
export function assertLeft(page: Shown, parameters: Record<string, string | undefined>): void {
  assert.equal(`${page.url.origin}${page.url.pathname}`, 'https://app.example/callback', page.body)
  for (const [name, value] of Object.entries(parameters)) {
    assert.equal(page.url.searchParams.get(name) ?? undefined, value, page.url.href)
  }
}

/** Returns the target of a page's automatic redirect, which its link also shows. */
export function nextOf({ statusCode, body }: { statusCode: number; body: string }): string {
  assert.equal(statusCode, 200, body)
  const next = /content="0; url=([^"]*)"/.exec(body)?.[1]
  assert.ok(next !== undefined && body.includes(`<a href="${next}">`), body)
  return next
}
