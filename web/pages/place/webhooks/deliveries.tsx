import { Anchor, Button, Code, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, callData } from '../../../api/client.ts'
import type { Delivery } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { Note } from '../../../components/note.tsx'
import { ReadingAlert, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { useList } from '../../../hooks/list.ts'
import { useDrawer, useFilters } from '../../../hooks/place.ts'
import { Drawer } from '../../../ui/dialogs.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Age, RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { optionsOf } from '../../../ui/words.ts'
import type { OfWebhook } from './of-webhook.ts'
import { deliveryTones } from './words.ts'

export function Deliveries({ orgId, webhook }: OfWebhook) {
  const { filters, apply } = useFilters(['state'])
  const { opened, open } = useDrawer()
  const state = filters.state as Delivery['attributes']['state'] | undefined
  const list = useList(
    ['deliveries', orgId, webhook.id, state],
    (query) =>
      call('listWebhookDeliveries', { params: { org_id: orgId, webhook_id: webhook.id }, query: { ...query, state } }),
    { refetchAfter: (rows) => rows.some(isWaiting) && 3000 },
  )
  return (
    <Section title="Messages">
      <NativeSelect
        label="State"
        maw="12rem"
        value={state ?? ''}
        onChange={(event) => apply({ state: event.currentTarget.value })}
        data={optionsOf({ '': 'Any', waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' })}
      />
      <Listing
        things="messages"
        list={list}
        columns={[
          {
            name: 'Event',
            cell: (delivery) => (
              <Anchor component="button" type="button" ta="start" onClick={() => open(delivery.id)}>
                {delivery.attributes.event_type}
              </Anchor>
            ),
          },
          { name: 'When', width: '9rem', cell: ({ attributes }) => <Age time={attributes.event_at} /> },
          { name: 'State', width: '8rem', cell: (delivery) => <State delivery={delivery} /> },
          { name: 'Attempts', width: '6rem', cell: ({ attributes }) => attributes.attempts },
          { name: 'Response', cell: ({ attributes }) => attributes.last_error ?? attributes.last_status ?? '' },
        ]}
        empty={<Text c="dimmed">{state === undefined ? 'No deliveries yet.' : 'No delivery has this state.'}</Text>}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => open(undefined)}
        size="lg"
        title={list.rows?.find(({ id }) => id === opened)?.attributes.event_type ?? 'Message'}
      >
        {opened !== undefined && <Details orgId={orgId} webhook={webhook} id={opened} />}
      </Drawer>
    </Section>
  )
}

function isWaiting({ attributes }: Delivery): boolean {
  return attributes.state === 'waiting'
}

function State({ delivery: { attributes } }: { delivery: Delivery }) {
  return <StateBadge tone={deliveryTones[attributes.state]}>{attributes.state}</StateBadge>
}

function Details({ orgId, webhook, id }: OfWebhook & { id: string }) {
  const params = { org_id: orgId, webhook_id: webhook.id, delivery_id: id }
  const queries = useQueryClient()
  const reading = useQuery({
    queryKey: ['delivery', orgId, id],
    queryFn: () => callData('getWebhookDelivery', { params }),
  })
  const sending = useMutation({
    mutationFn: () => call('redeliverWebhookDelivery', { params }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['delivery', orgId, id] })
      void queries.invalidateQueries({ queryKey: ['deliveries', orgId, webhook.id] })
    },
  })
  if (reading.isError) return <ReadingAlert title="Could not load it" reading={reading} />
  if (!reading.data) return <Skeleton height={180} />
  const { attributes } = reading.data
  return (
    <Stack>
      <Facts
        of={[
          ['State', <State key="state" delivery={reading.data} />],
          ['Event time', <RelativeTime key="at" time={attributes.event_at} />],
          ['Attempts', attributes.attempts],
          ['Last', attributes.attempted_at && <RelativeTime key="last" time={attributes.attempted_at} />],
          ['Next', attributes.next_attempt_at && <Age key="next" time={attributes.next_attempt_at} />],
          ['Status', attributes.last_status],
          ['Error', attributes.last_error],
          ['Event', <Code key="event">{attributes.event_id}</Code>],
        ]}
      />
      {attributes.answer !== undefined && attributes.answer !== '' && (
        <Block title="Response">{attributes.answer}</Block>
      )}
      <Block title="Sent request">{JSON.stringify(attributes.payload, null, 2)}</Block>
      {sending.error && <RefusalAlert title="Not sent again" error={sending.error} />}
      {sending.isSuccess && <Text role="status">Queued for delivery.</Text>}
      <Group>
        <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate()}>
          Send again
        </Button>
      </Group>
    </Stack>
  )
}

function Block({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <Note size="sm">{title}</Note>
      <Code block>{children}</Code>
    </div>
  )
}
