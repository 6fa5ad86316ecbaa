import { Button, Group, NativeSelect } from '@mantine/core'
import { call } from '../../../api/client.ts'
import type { Import, ImportQuery } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { Note } from '../../../components/note.tsx'
import { useList } from '../../../hooks/list.ts'
import { useFilters, usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink, NameLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { optionsOf } from '../../../ui/words.ts'
import { describeProgress, stateOf, states } from './words.ts'

export function Imports() {
  const { id: orgId } = usePlace()
  const { filters, apply } = useFilters(['state', 'cause', 'integration_id', 'created_after', 'has_failed_manifests'])
  const isNarrowed = Object.keys(filters).length > 0
  const list = useList(
    ['imports', orgId, filters],
    (query) => call('listImports', { params: { org_id: orgId }, query: { ...query, ...toQuery(filters) } }),
    { refetchAfter: (rows) => rows.some(({ attributes }) => attributes.state === 'pending') && 3000 },
  )
  const hasNone = list.isEmpty && !isNarrowed
  const start = <ButtonLink to={paths.newImport(orgId)}>Import a repository</ButtonLink>
  return (
    <Page
      title="Imports"
      lead="Imports of repositories, with the outcome of each manifest."
      actions={hasNone ? undefined : start}
    >
      {!hasNone && (
        <Group align="flex-end">
          <NativeSelect
            label="State"
            value={filters.state ?? ''}
            onChange={(event) => apply({ ...filters, state: event.currentTarget.value })}
            data={[
              { value: '', label: 'Any' },
              ...Object.entries(states).map(([value, { word }]) => ({ value, label: word })),
            ]}
          />
          <NativeSelect
            label="Began"
            value={filters.cause ?? ''}
            onChange={(event) => apply({ ...filters, cause: event.currentTarget.value })}
            data={optionsOf({ '': 'Any trigger', request: 'Requested', schedule: 'Scheduled' })}
          />
          {isNarrowed && (
            <Button variant="default" onClick={() => apply({})}>
              Show all
            </Button>
          )}
        </Group>
      )}
      <Listing
        things="imports"
        list={list}
        columns={[
          { name: 'Target', cell: (importRow) => <Target orgId={orgId} of={importRow} /> },
          { name: 'State', width: '9rem', cell: (importRow) => <ImportStateBadge of={importRow} /> },
          { name: 'Manifests', cell: (importRow) => describeProgress(progressOf(importRow)) },
          { name: 'By', width: '10rem', cell: (importRow) => <By of={importRow} /> },
          { name: 'When', width: '9rem', cell: ({ attributes }) => <Age time={attributes.created_at} /> },
        ]}
        empty={
          isNarrowed ? (
            <Empty title="No matching imports">None matches.</Empty>
          ) : (
            <Empty title="No imports yet">
              Import a repository to create a project for each of its manifests. <p>{start}</p>
            </Empty>
          )
        }
      />
    </Page>
  )
}

function toQuery({ has_failed_manifests: failed, ...others }: Readonly<Record<string, string | undefined>>) {
  const query = { ...others, ...(failed !== undefined && { has_failed_manifests: failed === 'true' }) }
  return query as Partial<ImportQuery>
}

function progressOf({ attributes: { state, listed_at, manifests } }: Import) {
  return { state, is_listed: listed_at !== null, manifests }
}

function ImportStateBadge({ of }: { of: Import }) {
  const { tone, word } = stateOf(progressOf(of))
  return <StateBadge tone={tone}>{word}</StateBadge>
}

function Target({ orgId, of: { id, attributes } }: { orgId: string; of: Import }) {
  return (
    <>
      <NameLink to={paths.importRun(orgId, id)} name={attributes.name} />
      {attributes.reference !== null && <Note>{attributes.reference}</Note>}
    </>
  )
}

function By({ of: { attributes } }: { of: Import }) {
  return attributes.cause === 'schedule' ? 'the schedule' : attributes.requested_by.name
}
