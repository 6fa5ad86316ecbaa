import { Alert, Anchor, Button, Code, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, type Data, type Query } from '../../../api/client.ts'
import { idIn, paramsOf } from '../../../api/place-params.ts'
import { FoldedFilters } from '../../../components/folded-filters.tsx'
import { Listing } from '../../../components/listing.tsx'
import { Note } from '../../../components/note.tsx'
import { useList } from '../../../hooks/list.ts'
import { countActive, useDrawer, useFilters, usePlace } from '../../../hooks/place.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { Drawer } from '../../../ui/dialogs.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { WarningIcon } from '../../../ui/icons.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { AuditFilters, type Filters, filterNames } from './filters.tsx'
import { AuditSentence, textOf } from './sentence.tsx'

type Event = Data<'listOrgAuditLogs'>[number]

function listEvents(place: ConsoleScope, query: Query<'listOrgAuditLogs'>) {
  return call(idIn(place, 'listOrgAuditLogs', 'listGroupAuditLogs'), { params: paramsOf(place), query })
}

/** Shows the audit log. The filters are part of the URL, so that views can be shared. */
export function AuditLog() {
  const place = usePlace()
  const { filters, apply } = useFilters(filterNames)
  const list = useList(['audit-log', place.kind, place.id, filters], (query) =>
    listEvents(place, { ...query, ...filters }),
  )

  const { shown, show, isMissing } = useShown(place, list.rows)

  return (
    <Page title="Audit log" lead="Every change, newest first, with actor, credential and previous value.">
      <FoldedFilters active={countActive(filters)}>
        <AuditFilters place={place} filters={filters} names={namesOf(list.rows)} onApply={apply} />
      </FoldedFilters>
      {isMissing && (
        <Alert color="yellow" icon={<WarningIcon />} role="alert">
          The linked event was not found.
        </Alert>
      )}
      <Listing
        things="audit events"
        list={list}
        columns={[
          { name: 'When', width: '14rem', cell: ({ attributes }) => <RelativeTime time={attributes.at} /> },
          { name: 'Event', cell: ({ attributes }) => <AuditSentence event={attributes} /> },
          {
            name: 'Details',
            width: '15rem',
            cell: (event) => (
              <Anchor
                component="button"
                type="button"
                ta="start"
                size="sm"
                aria-label={`Details of ${event.attributes.action}`}
                onClick={() => show(event)}
              >
                {event.attributes.action}
              </Anchor>
            ),
          },
        ]}
        empty={
          <Empty title="No matching events">
            {Object.keys(filters).length > 0 ? 'Nothing matches these filters.' : 'No changes yet.'}
          </Empty>
        }
      />
      <Drawer
        opened={shown !== undefined}
        onClose={() => show(undefined)}
        size="lg"
        title={shown && textOf(shown.attributes)}
      >
        {shown && <EventDetails event={shown} onNarrow={apply} />}
      </Drawer>
    </Page>
  )
}

/** Returns the names of actors and targets of events, by id. */
function namesOf(events: readonly Event[] = []): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap(({ attributes: { actor, target } }) => [
      ...(actor.id === undefined ? [] : [[actor.id, actor.name] as const]),
      [target.id, target.name ?? `this ${target.kind.replaceAll('_', ' ')}`] as const,
    ]),
  )
}

/**
 * Returns the event that the address opens. Newer events move it to later pages, so the address also contains its time,
 * by which it is read alone.
 */
function useShown(place: ConsoleScope, listed: readonly Event[] | undefined) {
  const { opened, open } = useDrawer()
  const [at = '', id] = opened?.split('~') ?? []
  const inList = listed?.find((event) => event.id === id)
  const alone = useQuery({
    queryKey: ['audit-log', place.kind, place.id, 'one', opened],
    queryFn: () =>
      listEvents(place, {
        from: at,
        to: new Date(Date.parse(at) + 1).toISOString(),
        limit: 100,
      }),
    enabled: opened !== undefined && listed !== undefined && inList === undefined,
  })
  const shown = inList ?? (opened === undefined ? undefined : alone.data?.data.find((event) => event.id === id))
  return {
    shown,
    isMissing: opened !== undefined && shown === undefined && (alone.isError || alone.isSuccess),
    show: (event: Event | undefined) => open(event && `${event.attributes.at}~${event.id}`),
  }
}

function EventDetails({ event, onNarrow }: { event: Event; onNarrow: (filters: Filters) => void }) {
  const { at, actor, target, before, after, request_id, address, org_id } = event.attributes
  return (
    <Stack>
      <Facts
        of={[
          ['When', <RelativeTime key="at" time={at} />],
          ['Who', `${actor.name} (${actor.kind.replaceAll('_', ' ')})`],
          ['Id', actor.id && <Code key="actor">{actor.id}</Code>],
          ['Credential', actor.credential_id && <Code key="credential">{actor.credential_id}</Code>],
          ['Address', address],
          ['Request', request_id && <Code key="request">{request_id}</Code>],
          ['What', <AuditSentence key="what" event={event.attributes} />],
          ['Action', <Code key="action">{event.attributes.action}</Code>],
          ['Target id', <Code key="target">{target.id}</Code>],
          ['Organization', org_id && <Code key="org">{org_id}</Code>],
        ]}
      />
      <State title="Before" state={before} />
      <State title="After" state={after} />
      <Group gap="sm">
        {actor.id !== undefined && (
          <Button variant="default" size="sm" onClick={() => onNarrow({ actor_id: actor.id })}>
            All by {actor.name}
          </Button>
        )}
        <Button variant="default" size="sm" onClick={() => onNarrow({ target_id: target.id })}>
          All events of this {target.kind.replaceAll('_', ' ')}
        </Button>
      </Group>
    </Stack>
  )
}

function State({ title, state }: { title: string; state: Record<string, unknown> | undefined }) {
  if (state === undefined) return null
  return (
    <div>
      <Note size="sm">{title}</Note>
      <Code block>{JSON.stringify(state, null, 2)}</Code>
    </div>
  )
}
