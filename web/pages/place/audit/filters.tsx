import { Button, Group, NativeSelect, Paper, Select, SimpleGrid, TextInput } from '@mantine/core'
import { auditSentences } from '../../../../src/foundation/audit/actions.ts'
import { useLiveFilters } from '../../../hooks/live-filters.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { optionsOf, upperFirst } from '../../../ui/words.ts'
import { ResourceSelect } from './resource-select.tsx'

export const filterNames = ['action', 'from', 'to', 'actor_id', 'target_id'] as const

export type Filters = { readonly [Name in (typeof filterNames)[number]]?: string | undefined }

interface Props {
  readonly place: ConsoleScope
  readonly filters: Filters
  /** Names of resources in the list, by id. */
  readonly names: ReadonlyMap<string, string>
  readonly onApply: (filters: Filters) => void
}

const periods = { '': 'Any time', 1: 'Last 24 hours', 7: 'Last 7 days', 30: 'Last 30 days', own: 'Own period…' }

export function AuditFilters({ place, filters, names, onApply }: Props) {
  const { draft, time, clear } = useLiveFilters(filters, onApply)
  const hasPeriod = filters.from !== undefined || filters.to !== undefined
  const choose = (part: Filters) => onApply(definedOf({ ...filters, ...part }))
  return (
    <Paper withBorder p="md" role="group" aria-label="Filters">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <ResourceSelect
          label="Person or program"
          placeholder="Anyone"
          place={place}
          kinds={['member', 'service_account', 'app']}
          value={draft.actor_id}
          names={names}
          onChange={(actor_id) => choose({ actor_id })}
        />
        <Select
          label="Action"
          placeholder="Any action"
          data={actionsWith(draft.action)}
          value={draft.action ?? null}
          searchable
          clearable
          nothingFoundMessage="No such action"
          onChange={(action) => choose({ action: action ?? undefined })}
        />
        <ResourceSelect
          label="Object"
          placeholder="Anything"
          place={place}
          kinds={['project', 'app', 'service_account', 'member']}
          value={draft.target_id}
          names={names}
          onChange={(target_id) => choose({ target_id })}
        />
        <NativeSelect
          label="Time"
          value={hasPeriod ? 'own' : ''}
          onChange={({ currentTarget: { value } }) => choose(toPeriod(value))}
          data={optionsOf(periods)}
        />
        {hasPeriod && <TextInput label="From" {...time('from')} />}
        {hasPeriod && <TextInput label="To" {...time('to')} />}
        <Group gap="sm" align="flex-end">
          <Button variant="default" onClick={() => clear({})} disabled={Object.keys(filters).length === 0}>
            Clear
          </Button>
        </Group>
      </SimpleGrid>
    </Paper>
  )
}

const DAY_MS = 86_400_000

function toPeriod(value: string): Filters {
  const days = value === 'own' ? 1 : Number(value)
  return { from: value === '' ? undefined : new Date(Date.now() - days * DAY_MS).toISOString(), to: undefined }
}

function definedOf(filters: Filters): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

const groups = Object.entries(Object.groupBy(Object.keys(auditSentences), (action) => action.split('.')[0]!)).map(
  ([noun, actions = []]) => ({
    group: upperFirst(noun.replaceAll('_', ' ')),
    items: [
      ...(actions.length > 1 ? [{ value: `${noun}.*`, label: `Any: ${noun.replaceAll('_', ' ')}` }] : []),
      ...actions.map((action) => ({
        value: action,
        label: toLabel(auditSentences[action as keyof typeof auditSentences]),
      })),
    ],
  }),
)

/** The actions to choose from; an address may contain others. */
function actionsWith(action: string | undefined) {
  const isListed = action === undefined || groups.some(({ items }) => items.some(({ value }) => value === action))
  return isListed ? groups : [...groups, { group: 'Other', items: [{ value: action, label: action }] }]
}

/** Writes the sentence of an action without what it names. */
function toLabel(sentence: string): string {
  const words = sentence.replaceAll(/\[[^\]]*\]/g, '').replaceAll(/\{[^}]*\}/g, '…')
  return upperFirst(words.replaceAll(/\s+…$/g, ' …').trim())
}
