import type { TestApp } from '../servers/app.ts'
import { type App, appAttributes, creationsOf } from './apps.ts'

/** The two formats of the app operations, as tests address them. */
export interface FormUnderTest {
  readonly name: string
  readonly isDeprecated: boolean
  /** The first release. */
  readonly since: string
  /** Path of the list. */
  list(orgId: string): string
  /** Path of one app. */
  one(orgId: string, app: App): string
  body(attributes: object): object
  /** Location of the attributes in the body. */
  readonly at: '/data/attributes' | ''
}

const wrap = (attributes: object) => ({ data: { type: 'app', attributes } })

const deprecated = {
  isDeprecated: true,
  since: '2022-03-11',
  list: (orgId: string) => `/rest/orgs/${orgId}/apps`,
  one: (orgId: string, { attributes }: App) => `/rest/orgs/${orgId}/apps/${attributes['client_id']}`,
}

export const formsUnderTest: readonly FormUnderTest[] = [
  {
    name: 'current form',
    isDeprecated: false,
    since: '2023-06-19',
    list: creationsOf,
    one: (orgId, { id }) => `${creationsOf(orgId)}/${id}`,
    body: wrap,
    at: '/data/attributes',
  },
  { ...deprecated, name: 'deprecated form, flat', body: (attributes) => attributes, at: '' },
  { ...deprecated, name: 'deprecated form, wrapped', body: wrap, at: '/data/attributes' },
]

export async function createIn(app: TestApp, form: FormUnderTest, attributes: object = {}): Promise<App> {
  const body = form.body({ ...appAttributes, ...attributes })
  return (await app.call('POST', form.list(app.orgId), { body })).json().data
}
