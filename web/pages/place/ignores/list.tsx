import { Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { listPolicies } from '../../../api/policies.ts'
import type { Ignore, IgnoreQuery, Policy } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { useList } from '../../../hooks/list.ts'
import { useFilters, usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { optionsOf } from '../../../ui/words.ts'
import { useIgnoresTable } from './ignores-table.tsx'
import { PolicyFilesSetting } from './policy-files.tsx'
import { ruleCells } from './rule-cells.tsx'
import { useConditionNames } from './rule-names.ts'
import { VexUploadButton } from './vex-upload.tsx'

const states = { '': 'All', active: 'In effect', stale: 'Without effect', expired: 'Ended', deleted: 'Deleted rules' }
const sources = { '': 'All', rule: 'Rules', vex: 'VEX documents', project: 'Projects', file: '.snyk files' }
const ofProjects: Readonly<Record<string, IgnoreQuery['source']>> = { project: 'user', file: 'repository' }

type Row = { readonly id: string; readonly rule: Policy } | { readonly id: string; readonly ignore: Ignore }

/** Rules, ignores of projects and of their `.snyk` files; of a group, its rules. */
export function Ignores() {
  const place = usePlace()
  const isOrg = place.kind === 'orgs'
  const { filters, apply } = useFilters(['state', 'source'])
  const { state, source = '' } = filters
  const onlyRules = !isOrg || source === 'rule' || source === 'vex' || state === 'deleted'
  const rules = useRules(filters)
  const { columns: ofIgnores, dialog } = useIgnoresTable(place.id, { withProject: true })
  const list = useList<Row>(['ignores', place.id, state, ofProjects[source], onlyRules], async (query) => {
    if (onlyRules) return { data: [], links: {} }
    const page = { ...query, state: state as IgnoreQuery['state'], source: ofProjects[source] }
    const { data, links } = await call('listIgnores', { params: { org_id: place.id }, query: page })
    return { data: data.map((ignore) => ({ id: ignore.id, ignore })), links }
  })
  // Rules are few; they stand before the first page of ignores.
  const first =
    ofProjects[source] !== undefined || !list.isFirst ? [] : rules.data?.map((rule) => ({ id: rule.id, rule }))
  const rows = list.rows && first && [...first, ...list.rows]
  const names = useConditionNames(place, rules.data)
  const cells = ruleCells(place, names)
  const columns = ofIgnores.map(({ cell, ...column }) => ({
    ...column,
    cell: (row: Row) => ('rule' in row ? cells[column.name.toLowerCase()]?.(row.rule) : cell(row.ignore)),
  }))
  return (
    <Page
      title={isOrg ? 'Ignores' : 'Ignore rules'}
      actions={
        <Group gap="xs">
          <VexUploadButton place={place} />
          <ButtonLink to={paths.newRule(place)}>New rule</ButtonLink>
        </Group>
      }
    >
      <Group align="flex-end">
        {isOrg && (
          <NativeSelect
            label="Source"
            value={source}
            onChange={({ currentTarget: { value } }) => apply({ ...filters, source: value })}
            data={optionsOf(sources)}
          />
        )}
        <NativeSelect
          label="State"
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) => apply({ ...filters, state: value })}
          data={optionsOf(states)}
        />
      </Group>
      {dialog}
      <ReadingAlert title="Could not load the rules" reading={rules} />
      <Listing
        things="ignores"
        list={{ ...list, rows, isEmpty: rows?.length === 0 }}
        columns={columns}
        empty={
          state === undefined && source === '' ? (
            <Empty title="No ignores yet">
              Create a rule, or ignore an issue from its vulnerability or project.
              <p>
                <ButtonLink to={paths.newRule(place)}>New rule</ButtonLink>
              </p>
            </Empty>
          ) : (
            <Empty title="No matching ignores">Nothing has this source and state.</Empty>
          )
        }
      />
      {isOrg && <PolicyFilesSetting orgId={place.id} />}
    </Page>
  )
}

/** Reads the rules that match the filters. */
function useRules({ state, source }: { readonly state?: string; readonly source?: string }) {
  const place = usePlace()
  const kept = state === 'deleted' ? 'deleted' : 'current'
  return useQuery({
    queryKey: ['policies', place, kept],
    queryFn: () => listPolicies(place, kept),
    select: (rules) =>
      rules.filter(
        (rule) =>
          (state === undefined || state === 'deleted' || stateOf(rule) === state) &&
          (source === undefined || (rule.attributes.source === 'vex') === (source === 'vex')),
      ),
    refetchInterval: ({ state: { data } }) =>
      (data?.some(({ attributes }) => attributes.evaluation.state === 'running') ?? false) && 2_000,
  })
}

function stateOf({ attributes: { action, hides } }: Policy): 'active' | 'stale' | 'expired' {
  const { expires } = action.data
  if (expires !== undefined && Date.parse(expires) <= Date.now()) return 'expired'
  return hides.issues > 0 ? 'active' : 'stale'
}
