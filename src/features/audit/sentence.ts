import { type AuditAction, auditSentences } from '#foundation/audit/actions.ts'
import type { AuditEventRow } from './store.ts'

/** A part of a sentence. A part with an id names an existing resource. */
export interface SentencePart {
  readonly text: string
  readonly kind?: string
  readonly id?: string
}

type State = Readonly<Record<string, unknown>>
export type Names = ReadonlyMap<string, string>

/** The kinds of resources to which members of states refer, and the members with the names they had. */
const references: Readonly<Record<string, { readonly kind: string; readonly names: readonly string[] }>> = {
  app_id: { kind: 'app', names: ['app_name'] },
  assignee_id: { kind: 'user', names: ['assignee_name'] },
  integration_id: { kind: 'integration', names: [] },
  org_id: { kind: 'org', names: [] },
  role_id: { kind: 'role', names: ['role_name'] },
  user_id: { kind: 'user', names: ['email'] },
}

const FORMER_NAMES = ['name', 'email', 'display_name', 'file_name', 'origin'] as const
const SHOWN_ISSUES = 3
const SHOWN_CHANGES = 4

/** Says what an event did, with the current names of its resources, or the names they had before their deletion. */
export function toSentence(event: AuditEventRow, names: Names): SentencePart[] {
  const template = auditSentences[event.action as AuditAction] ?? `performed ${event.action} on {target}`
  const states = statesOf(event)
  // "of the app (name)", but "of a deleted app".
  const words = toTarget({ event, states, names }).text.startsWith(DELETED)
    ? `the ${wordsOf(event)} {target}`
    : '{target}'
  const parts = template
    .replace(words, '{target}')
    .split(/\[([^\]]*)\]/)
    .flatMap((text, at) => {
      const filled = fill(text, (name) => findValue(name, { event, states, names }))
      return at % 2 === 0 || filled.every((part) => part !== undefined) ? filled : []
    })
  const actor = {
    text: event.actor_name,
    ...(event.actor_id !== null && { kind: event.actor_kind, id: event.actor_id }),
  }
  return [actor, { text: ' ' }, ...parts.map((part) => part ?? { text: 'an unnamed one' })].filter(
    ({ text }) => text !== '',
  )
}

const DELETED = 'a deleted '

function wordsOf({ target_kind }: AuditEventRow): string {
  return target_kind.replaceAll('_', ' ')
}

/** Returns the ids of all resources that the sentences of events name, by kind. */
export function listReferences(events: readonly AuditEventRow[]): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>()
  const add = (kind: string, id: unknown) => {
    if (typeof id === 'string') ids.set(kind, (ids.get(kind) ?? new Set()).add(id))
  }
  for (const event of events) {
    add(event.target_kind, event.target_id)
    const { before, after } = statesOf(event)
    for (const state of [before, after]) {
      for (const [member, { kind }] of Object.entries(references)) add(kind, state?.[member])
    }
  }
  return ids
}

interface States {
  readonly before: State | undefined
  readonly after: State | undefined
}

function statesOf({ before, after }: AuditEventRow): States {
  const parse = (text: string | null) => (text === null ? undefined : (JSON.parse(text) as State))
  return { before: parse(before), after: parse(after) }
}

type Filled = SentencePart | undefined

function fill(text: string, value: (name: string) => readonly Filled[]): Filled[] {
  return text.split(/\{([^}]*)\}/).flatMap((part, at) => (at % 2 === 0 ? [{ text: part }] : value(part)))
}

interface Context {
  readonly event: AuditEventRow
  readonly states: States
  readonly names: Names
}

function findValue(name: string, context: Context): readonly Filled[] {
  const { states } = context
  if (name === 'target') return [toTarget(context)]
  if (name === 'issues') return toIssues(states)
  if (name === 'changes') return [toChanges(states)]
  if (name.startsWith('before.')) return [toMember(name.slice('before.'.length), [states.before], context.names)]
  return [toMember(name, [states.after, states.before], context.names)]
}

function toTarget({ event, states, names }: Context): SentencePart {
  const { target_id: id, target_kind: kind } = event
  const name = names.get(id)
  if (name !== undefined) return { text: name, kind, id }
  const former = [states.after, states.before].flatMap((state) => FORMER_NAMES.map((member) => state?.[member]))
  return { text: former.find((value) => typeof value === 'string') ?? `${DELETED}${wordsOf(event)}` }
}

function toIssues({ before, after }: States): Filled[] {
  const all = [after, before].flatMap((state) => [
    state?.['issue_id'],
    ...ignoresOf(state).map((one) => one['issue_id']),
  ])
  const ids = [...new Set(all.filter((id) => typeof id === 'string'))]
  if (ids.length === 0) return [undefined]
  const shown = ids
    .slice(0, SHOWN_ISSUES)
    .flatMap((id, at) => [{ text: at === 0 ? '' : ', ' }, { text: id, kind: 'vulnerability', id }])
  return ids.length > SHOWN_ISSUES ? [...shown, { text: ` and ${ids.length - SHOWN_ISSUES} more` }] : shown
}

function ignoresOf(state: State | undefined): readonly State[] {
  const ignores = state?.['ignores']
  return Array.isArray(ignores) ? (ignores as State[]) : []
}

function toChanges({ before, after }: States): Filled {
  const members = Object.keys({ ...before, ...after }).filter(
    (member) => JSON.stringify(before?.[member] ?? null) !== JSON.stringify(after?.[member] ?? null),
  )
  const words = [...new Set(members.map(toWords))].filter((word) => word !== '')
  if (words.length === 0) return undefined
  const rest = words.length > SHOWN_CHANGES ? ` and ${words.length - SHOWN_CHANGES} more` : ''
  return { text: `${words.slice(0, SHOWN_CHANGES).join(', ')}${rest}` }
}

/** The name beside an id says nothing new. */
function toWords(member: string): string {
  if (Object.values(references).some(({ names }) => names.includes(member))) return ''
  return member.replace(/_id$/, '').replace(/_on$/, '_date').replaceAll('_', ' ')
}

function toMember(name: string, states: readonly (State | undefined)[], names: Names): Filled {
  const state = states.find((state) => state?.[name] !== undefined && state[name] !== null)
  const reference = references[name]
  if (name === 'expires') return toExpiry(states)
  if (reference === undefined) return toText(state?.[name])
  const id = state?.[name]
  const current = typeof id === 'string' ? names.get(id) : undefined
  if (typeof id === 'string' && current !== undefined) return { text: current, kind: reference.kind, id }
  const former = states.flatMap((state) => reference.names.map((member) => state?.[member]))
  return (
    toText(former.find((value) => typeof value === 'string')) ?? (id === undefined ? undefined : deleted(reference))
  )
}

function deleted({ kind }: { readonly kind: string }): SentencePart {
  return { text: `${DELETED}${kind === 'org' ? 'organization' : kind}` }
}

const DAY = /^\d{4}-\d\d-\d\d(?=$|T)/

function toText(value: unknown): Filled {
  if (typeof value === 'number') return { text: String(value) }
  if (typeof value !== 'string' || value === '') return undefined
  return { text: DAY.test(value) ? toDay(value) : value }
}

/** Returns the first expiry of the ignores of a change. */
function toExpiry(states: readonly (State | undefined)[]): Filled {
  const entries = ignoresOf(states[0]).flatMap((ignore) => Object.values(ignore))
  const times = entries.flatMap((entry) => (entry as { expires?: unknown } | null)?.expires ?? [])
  const [first] = times.filter((time) => typeof time === 'string').sort()
  return first === undefined ? undefined : { text: toDay(first) }
}

function toDay(time: string): string {
  return new Date(time).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}
