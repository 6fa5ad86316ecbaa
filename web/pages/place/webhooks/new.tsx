import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { createWebhook, type NewAttributes, type Webhook } from '../../../api/webhooks.ts'
import { CreationForm, useCreation } from '../../../creation.tsx'
import { paths, serverPaths } from '../../../paths.ts'
import { usePlace } from '../../../place.ts'
import { Page } from '../../../ui/page.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { type Wanted, WebhookFields } from './fields.tsx'

export function NewWebhook() {
  const { id: orgId } = usePlace()
  const [created, setCreated] = useState<Webhook>()
  if (created) return <Created orgId={orgId} webhook={created} />
  return (
    <Page title="New webhook" lead="Messages are signed, and sent again until they are taken or a day has passed.">
      <Form orgId={orgId} onCreated={setCreated} />
    </Page>
  )
}

function Form({ orgId, onCreated }: { orgId: string; onCreated: (webhook: Webhook) => void }) {
  const [wanted, setWanted] = useState<Wanted>({ url: '', description: '', events: ['issues.new', 'import.finished'] })
  const creating = useCreation({
    create: (attributes: NewAttributes, key) => createWebhook(orgId, attributes, key),
    listKey: ['webhooks', orgId],
    onCreated,
  })
  return (
    <CreationForm
      action="Create"
      cancelTo={paths.webhooks(orgId)}
      isPending={creating.isPending}
      failure="The webhook was not created"
      error={creating.error}
      onSubmit={() => creating.mutate({ ...wanted, events: [...wanted.events] })}
    >
      <WebhookFields
        wanted={wanted}
        onChange={(part) => setWanted((now) => ({ ...now, ...part }))}
        error={creating.error}
      />
    </CreationForm>
  )
}

function Created({ orgId, webhook }: { orgId: string; webhook: Webhook }) {
  return (
    <Page title="The webhook is created">
      <Stack maw="44rem">
        <SecretOnce label="Signing secret" secret={webhook.attributes.secret ?? ''} />
        <Text>
          With it the receiver checks that a message is from here.{' '}
          <Anchor href={serverPaths.webhookGuide} target="_blank" underline="always">
            How that is done, in several languages
          </Anchor>
        </Text>
        <Group>
          <Button component={Link} to={paths.webhook(orgId, webhook.id)}>
            I have kept it
          </Button>
        </Group>
      </Stack>
    </Page>
  )
}
