import type { ConsoleScope } from '../navigation/paths.ts'
import { call, type Data } from './client.ts'
import type { Group } from './resources.ts'

export interface Places {
  readonly orgs: Data<'listOrgs'>
  readonly groups: readonly Group[]
  /** True if there are more than listed. */
  readonly isCut: boolean
}

/** Pages of 100 that are read to fill the list of places. */
const MAX_PAGES = 10

/** Lists the organizations and groups that the credential has access to. */
export async function listPlaces(): Promise<Places> {
  const [orgs, groups] = await Promise.all([
    readAll((starting_after) => call('listOrgs', { query: { limit: 100, starting_after } })),
    readAll((starting_after) => call('listGroups', { query: { limit: 100, starting_after } })),
  ])
  return { orgs: orgs.all, groups: groups.all, isCut: orgs.isCut || groups.isCut }
}

export interface Listed<R> {
  readonly data: readonly R[]
  readonly links: { readonly next?: string; readonly prev?: string }
}

/** Lists the entries of all pages, up to a limit. */
export async function listAll<R>(read: (cursor: string | undefined) => Promise<Listed<R>>): Promise<readonly R[]> {
  return (await readAll(read)).all
}

/** Reads pages of a list, up to a limit. */
async function readAll<R>(read: (cursor: string | undefined) => Promise<Listed<R>>) {
  const all: R[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, links } = await read(cursor)
    all.push(...data)
    cursor = cursorOf(links.next, 'starting_after')
    if (cursor === undefined) return { all, isCut: false }
  }
  return { all, isCut: true }
}

export function cursorOf(link: string | undefined, name: 'starting_after' | 'ending_before'): string | undefined {
  return link === undefined ? undefined : (new URL(link, location.origin).searchParams.get(name) ?? undefined)
}

/** Lists the roles that an account or a member of the place can get, with their permissions. */
export async function listRoles(places: Places, place: ConsoleScope) {
  const groupId = groupIdOf(places, place)
  const params = { group_id: groupId }
  return listAll((starting_after) => call('listRoles', { params, query: { limit: 100, starting_after } }))
}

function groupIdOf({ orgs }: Places, { kind, id }: ConsoleScope): string {
  return kind === 'groups' ? id : (orgs.find((org) => org.id === id)?.attributes.group_id ?? '')
}

export function nameOf(places: Places, { kind, id }: ConsoleScope): string | undefined {
  return places[kind].find((scope) => scope.id === id)?.attributes.name
}
