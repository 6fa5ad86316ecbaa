import { Alert, Button, Code, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, callData } from '../../../api/client.ts'
import type { WebhookChange } from '../../../api/resources.ts'
import { Deletion } from '../../../components/deletion.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { SaveForm } from '../../../components/save-form.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useParams } from '../../../router/react.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { WarningIcon } from '../../../ui/icons.tsx'
import { Page } from '../../../ui/page.tsx'
import { Age, RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookFields, type WebhookInput } from './fields.tsx'
import { Condition } from './list.tsx'
import type { OfWebhook } from './of-webhook.ts'
import { SigningSecret } from './signing-secret.tsx'
import { TestDelivery } from './test-delivery.tsx'
import { conditionOf, namesOf } from './words.ts'

export function WebhookPage() {
  const { id: orgId } = usePlace()
  const { webhookId = '' } = useParams()
  const reading = useQuery({
    queryKey: ['webhook', orgId, webhookId],
    queryFn: () => callData('getWebhook', { params: { org_id: orgId, webhook_id: webhookId } }),
  })
  return (
    <ResourcePage kind="Webhook" reading={reading}>
      {(webhook) => (
        <Page title={new URL(webhook.attributes.url).host} lead={webhook.attributes.description || undefined}>
          <About orgId={orgId} webhook={webhook} />
          <TestDelivery orgId={orgId} webhook={webhook} />
          <Deliveries orgId={orgId} webhook={webhook} />
          <Change key={webhook.attributes.updated_at} orgId={orgId} webhook={webhook} />
          <SigningSecret orgId={orgId} webhook={webhook} />
          <Deletion
            name="the webhook"
            kind="webhook"
            words="Deliveries stop, and their log is deleted."
            listKeys={[['webhooks', orgId]]}
            backTo={paths.webhooks(orgId)}
            remove={() => call('deleteWebhook', { params: { org_id: orgId, webhook_id: webhook.id } })}
          >
            Pending deliveries are discarded. This cannot be undone.
          </Deletion>
        </Page>
      )}
    </ResourcePage>
  )
}

function useChange({ orgId, webhook }: OfWebhook) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (attributes: WebhookChange) =>
      call('updateWebhook', {
        params: { org_id: orgId, webhook_id: webhook.id },
        body: { data: { id: webhook.id, type: 'webhook', attributes } },
      }),
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
        <Alert color="red" icon={<WarningIcon />} title="Disabled by the server">
          {why} Fix the endpoint, then enable it again.
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
          ['Since', <RelativeTime key="since" time={created_at} />],
          ['Id', <Code key="id">{webhook.id}</Code>],
        ]}
      />
      <Group justify="space-between" gap="sm">
        <Text span>{is_active ? 'Events are not queued while it is disabled.' : 'Deliveries are disabled.'}</Text>
        <Button
          variant="default"
          loading={switching.isPending}
          onClick={() => switching.mutate({ is_active: !is_active })}
        >
          {is_active ? 'Disable' : 'Enable'}
        </Button>
      </Group>
      {switching.error && <RefusalAlert title="Not saved" error={switching.error} />}
    </Section>
  )
}

function Change({ orgId, webhook }: OfWebhook) {
  const { url, description, events } = webhook.attributes
  const [input, setInput] = useState<WebhookInput>({ url, description, events })
  const changing = useChange({ orgId, webhook })

  return (
    <Section title="Change">
      <SaveForm
        action="Save"
        saving={changing}
        maw="44rem"
        onSubmit={() => changing.mutate({ ...input, events: [...input.events] })}
      >
        <WebhookFields
          input={input}
          onChange={(part) => setInput((now) => ({ ...now, ...part }))}
          error={changing.error}
        />
      </SaveForm>
    </Section>
  )
}
