import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useParams } from 'react-router'
import {
  type ChangedAttributes,
  changeWebhook,
  deleteWebhook,
  readWebhook,
  type Webhook,
} from '../../../api/webhooks.ts'
import { Deletion } from '../../../deletion.tsx'
import { paths } from '../../../paths.ts'
import { usePlace } from '../../../place.ts'
import { RefusalAlert } from '../../../refusal-alert.tsx'
import { ThingPage } from '../../../thing-page.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { WarningIcon } from '../../../ui/icons.tsx'
import { Age, Moment } from '../../../ui/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { Deliveries } from './deliveries.tsx'
import { type Wanted, WebhookFields } from './fields.tsx'
import { Condition } from './list.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { Trial } from './trial.tsx'
import { conditionOf, namesOf } from './words.ts'

export interface OfWebhook {
  readonly orgId: string
  readonly webhook: Webhook
}

export function WebhookPage() {
  const { id: orgId } = usePlace()
  const { webhookId = '' } = useParams()
  const reading = useQuery({ queryKey: ['webhook', orgId, webhookId], queryFn: () => readWebhook(orgId, webhookId) })
  return (
    <ThingPage kind="Webhook" reading={reading}>
      {(webhook) => (
        <Page title={new URL(webhook.attributes.url).host} lead={webhook.attributes.description || undefined}>
          <About orgId={orgId} webhook={webhook} />
          <Trial orgId={orgId} webhook={webhook} />
          <Deliveries orgId={orgId} webhook={webhook} />
          <Change key={webhook.attributes.updated_at} orgId={orgId} webhook={webhook} />
          <SigningSecret orgId={orgId} webhook={webhook} />
          <Deletion
            name="the webhook"
            kind="webhook"
            words="Nothing is sent there any more, and its log is gone."
            listKeys={[['webhooks', orgId]]}
            backTo={paths.webhooks(orgId)}
            remove={() => deleteWebhook(orgId, webhook.id)}
          >
            What waits to be sent is given up. This cannot be taken back.
          </Deletion>
        </Page>
      )}
    </ThingPage>
  )
}

/** Changes the webhook, and shows what became of it. */
function useChange({ orgId, webhook }: OfWebhook) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (attributes: ChangedAttributes) => changeWebhook(orgId, webhook.id, attributes),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: ['webhooks', orgId] })
      await queries.invalidateQueries({ queryKey: ['webhook', orgId, webhook.id] })
    },
  })
}

function About({ orgId, webhook }: OfWebhook) {
  const { url, events, is_active, failing_since, created_at, previous_secret_ends_at } = webhook.attributes
  const { why } = conditionOf(webhook)
  const switching = useChange({ orgId, webhook })
  return (
    <Section title="About">
      {why !== undefined && (
        <Alert color="red" icon={<WarningIcon />} title="The server switched it off">
          {why} When that is mended, switch it on again.
        </Alert>
      )}
      <Facts
        of={[
          ['Address', url],
          ['Events', namesOf(events)],
          ['State', <Condition key="state" webhook={webhook} />],
          ['Failing', failing_since && <Age key="failing" time={failing_since} />],
          [
            'Old secret',
            previous_secret_ends_at && (
              <span key="old">
                ends <Age time={previous_secret_ends_at} />
              </span>
            ),
          ],
          ['Since', <Moment key="since" time={created_at} />],
          ['Id', <Code key="id">{webhook.id}</Code>],
        ]}
      />
      <Group justify="space-between" gap="sm">
        <Text span>{is_active ? 'While it is off, nothing is kept to be sent later.' : 'Nothing is sent now.'}</Text>
        <Button
          variant="default"
          loading={switching.isPending}
          onClick={() => switching.mutate({ is_active: !is_active })}
        >
          {is_active ? 'Switch off' : 'Switch on'}
        </Button>
      </Group>
      {switching.error && <RefusalAlert title="Nothing was changed" error={switching.error} />}
    </Section>
  )
}

function Change({ orgId, webhook }: OfWebhook) {
  const { url, description, events } = webhook.attributes
  const [wanted, setWanted] = useState<Wanted>({ url, description, events })
  const changing = useChange({ orgId, webhook })

  function submit(event: FormEvent) {
    event.preventDefault()
    changing.mutate({ ...wanted, events: [...wanted.events] })
  }

  return (
    <Section title="Change">
      <form onSubmit={submit}>
        <Stack maw="44rem">
          <WebhookFields
            wanted={wanted}
            onChange={(part) => setWanted((now) => ({ ...now, ...part }))}
            error={changing.error}
          />
          {changing.error && <RefusalAlert title="Nothing was changed" error={changing.error} />}
          <Group>
            <Button type="submit" variant="default" loading={changing.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
