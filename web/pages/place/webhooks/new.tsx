import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { callData } from '../../../api/client.ts'
import type { NewWebhookInput, Webhook } from '../../../api/resources.ts'
import { CreationForm, useCreation } from '../../../components/creation.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths, serverPaths } from '../../../navigation/paths.ts'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { WebhookFields, type WebhookInput } from './fields.tsx'

export function NewWebhook() {
  const { id: orgId } = usePlace()
  const [created, setCreated] = useState<Webhook>()
  if (created) return <Created orgId={orgId} webhook={created} />
  return (
    <Page title="New webhook" lead="Deliveries are signed and retried for up to one day.">
      <Form orgId={orgId} onCreated={setCreated} />
    </Page>
  )
}

function Form({ orgId, onCreated }: { orgId: string; onCreated: (webhook: Webhook) => void }) {
  const [input, setInput] = useState<WebhookInput>({
    url: '',
    description: '',
    events: ['issues.new', 'import.finished'],
  })
  const creating = useCreation({
    create: (attributes: NewWebhookInput, key) =>
      callData('createWebhook', {
        params: { org_id: orgId },
        body: { data: { type: 'webhook', attributes } },
        idempotencyKey: key,
      }),
    listKey: ['webhooks', orgId],
    onCreated,
  })
  return (
    <CreationForm
      action="Create"
      cancel={paths.webhooks(orgId)}
      failure="Webhook not created"
      saving={creating}
      onSubmit={() => creating.mutate({ ...input, events: [...input.events] })}
    >
      <WebhookFields
        input={input}
        onChange={(part) => setInput((now) => ({ ...now, ...part }))}
        error={creating.error}
      />
    </CreationForm>
  )
}

function Created({ orgId, webhook }: { orgId: string; webhook: Webhook }) {
  return (
    <Page title="Webhook created">
      <Stack maw="44rem">
        <SecretOnce label="Signing secret" secret={webhook.attributes.secret ?? ''} />
        <Text>
          The receiver verifies deliveries with this secret.{' '}
          <Anchor href={serverPaths.webhookGuide} target="_blank" underline="always">
            Sample code in several languages
          </Anchor>
        </Text>
        <Group>
          <ButtonLink to={paths.webhook(orgId, webhook.id)}>I have saved it</ButtonLink>
        </Group>
      </Stack>
    </Page>
  )
}
