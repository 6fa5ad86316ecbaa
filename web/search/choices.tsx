import type { ReactNode } from 'react'
import type { DocumentationEntry } from '../api/documentation.ts'
import type { Hit, HitKind } from '../api/resources.ts'
import { accountPage, ownPages, type SitePage, sectionsOf } from '../components/site-map.tsx'
import { type ConsoleScope, paths, serverPaths } from '../navigation/paths.ts'
import { AppIcon, BookIcon, KeyIcon, PackageIcon, PersonIcon, ProjectIcon } from '../ui/icons.tsx'
import { ExploitedBadge, SeverityBadge } from '../ui/severity.tsx'
import { countOf } from '../ui/words.ts'

export interface Choice {
  readonly id: string
  readonly to: string
  /** True for a page outside the console, which opens in a new tab. */
  readonly isDocumentation?: true
  readonly name: string
  readonly context: string | undefined
  readonly icon: ReactNode
  readonly badge?: ReactNode
}

/** Returns the id of a result's element, without characters of the address that ids must not contain. */
export function optionId({ id }: Choice): string {
  return `search-${encodeURIComponent(id)}`
}

export interface ChoiceGroup {
  readonly heading: string
  readonly choices: readonly Choice[]
}

const headings: Readonly<Record<HitKind, string>> = {
  vulnerability: 'Vulnerabilities',
  package: 'Packages',
  project: 'Projects',
  app: 'Apps',
  service_account: 'Service accounts',
  member: 'Members',
}

const icons: Readonly<Record<HitKind, ReactNode>> = {
  vulnerability: undefined,
  package: <PackageIcon />,
  project: <ProjectIcon />,
  app: <AppIcon />,
  service_account: <KeyIcon />,
  member: <PersonIcon />,
}

/** Prefixes that narrow a search to one kind: `pkg:lodash`. */
const prefixes: Readonly<Record<string, HitKind>> = {
  cve: 'vulnerability',
  pkg: 'package',
  project: 'project',
  app: 'app',
  account: 'service_account',
  member: 'member',
}

export const prefixNames = Object.keys(prefixes)

export function parseQuery(text: string): { readonly query: string; readonly kinds: HitKind[] | undefined } {
  const [, prefix = '', rest = ''] = /^(\w+):(.*)$/s.exec(text.trim()) ?? []
  const kind = prefixes[prefix.toLowerCase()]
  return kind ? { query: rest.trim(), kinds: [kind] } : { query: text.trim(), kinds: undefined }
}

export function toGroups(place: ConsoleScope, hits: readonly Hit[]): ChoiceGroup[] {
  return [...Map.groupBy(hits, ({ type }) => type)].map(([kind, own]) => ({
    heading: headings[kind],
    choices: own.map((hit) => toChoice(place, hit)),
  }))
}

function toChoice(place: ConsoleScope, { id, type, attributes }: Hit): Choice {
  const { name, context, severity, is_exploited, projects } = attributes
  const uses = projects === undefined ? undefined : countOf(projects, 'project')
  return {
    id: `${type}-${id}`,
    to: addressOf(place, { id, type }),
    name: type === 'vulnerability' ? `${id} ${name}` : name,
    context: [context, uses].filter(Boolean).join(' · '),
    icon: icons[type],
    badge: (
      <>
        {is_exploited && <ExploitedBadge />}
        {severity && <SeverityBadge severity={severity} />}
      </>
    ),
  }
}

function addressOf(place: ConsoleScope, { id, type }: Pick<Hit, 'id' | 'type'>): string {
  switch (type) {
    case 'vulnerability':
      return paths.vulnerability(place.id, id)
    case 'package':
      return paths.packageUse(place.id, id)
    case 'project':
      return paths.project(place.id, id)
    case 'app':
      return paths.app(place.id, id)
    case 'service_account':
      return paths.serviceAccount(place, id)
    case 'member':
      return paths.members(place)
  }
}

/** The group of an organization, if the user may open it. */
export interface OwningGroup {
  readonly id: string
  readonly name: string
}

/**
 * Finds console pages whose name or purpose contains all words; all pages for an empty query. With words, also finds
 * pages of the organization's group, where users, roles and sign-in are configured.
 */
export function findPages(place: ConsoleScope | undefined, query: string, group?: OwningGroup): ChoiceGroup[] {
  const own = [...ownPages, ...(place ? sectionsOf(place).flatMap(({ pages }) => pages) : []), accountPage]
  const ofGroup = group && query !== '' ? sectionsOf({ kind: 'groups', id: group.id }) : []
  return [
    ...toPages('Pages', own, query),
    ...toPages(
      `Pages of ${group?.name}`,
      ofGroup.flatMap(({ pages }) => pages),
      query,
    ),
  ]
}

function toPages(heading: string, pages: readonly SitePage[], query: string): ChoiceGroup[] {
  const words = query.toLowerCase().split(/\s+/)
  const isMeant = ({ label, words: more = '' }: SitePage) => {
    const text = `${label} ${more}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const choices = pages.filter(isMeant).map(({ to, label, icon }) => ({
    id: `page-${to}`,
    to,
    name: label,
    context: undefined,
    icon,
  }))
  return choices.length === 0 ? [] : [{ heading, choices }]
}

/** Maximum number of parts of the documentation in the results. */
const MAX_GUIDES = 6

/** Finds pages of the documentation and their parts whose titles contain all words; pages come before their parts. */
export function findGuides(entries: readonly DocumentationEntry[], query: string): ChoiceGroup[] {
  if (query === '') return []
  const words = query.toLowerCase().split(/\s+/)
  const hits = entries.filter(({ title, section }) => {
    const text = `${title} ${section}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const rank = ({ title, url }: DocumentationEntry) =>
    (url.includes('#') ? 2 : 0) + (title.toLowerCase().includes(words[0]!) ? 0 : 1)
  const choices = hits
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, MAX_GUIDES)
    .map(({ title, section, url }) => ({
      id: `guide-${url}`,
      to: `${serverPaths.documentation}/${url}`,
      isDocumentation: true as const,
      name: title,
      context: section,
      icon: <BookIcon />,
    }))
  return choices.length === 0 ? [] : [{ heading: 'Documentation', choices }]
}
