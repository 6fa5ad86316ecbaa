import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callData, newIdempotencyKey } from '../../../api/client.ts'
import { toRefusal } from '../../../api/refusal.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { Section } from '../../../ui/section.tsx'
import { textField } from '../../../ui/text-field.ts'
import type { OfWebhook } from './of-webhook.ts'

const times = [
  { value: '86400', label: '1 day' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '1 week' },
  { value: '0', label: 'None' },
]

export function SigningSecret({ orgId, webhook }: OfWebhook) {
  const [isAsking, setAsking] = useState(false)
  const [graceSeconds, setGraceSeconds] = useState('86400')
  // Kept apart from the mutation's data: a later refusal must not hide a new secret.
  const [shown, setShown] = useState<string>()
  const idempotencyKey = useRef(newIdempotencyKey())
  const queries = useQueryClient()
  const replacing = useMutation({
    mutationFn: () => {
      const body = { data: { type: 'webhook', attributes: { grace_seconds: Number(graceSeconds) } } } as const
      const params = { org_id: orgId, webhook_id: webhook.id }
      return callData('replaceWebhookSecret', { params, body, idempotencyKey: idempotencyKey.current })
    },
    onSuccess: ({ attributes }) => setShown(attributes.secret),
    onSettled: (_secret, error) => {
      setAsking(false)
      void queries.invalidateQueries({ queryKey: ['webhook', orgId, webhook.id] })
      if (error === null || toRefusal(error).status !== 0) idempotencyKey.current = newIdempotencyKey()
    },
  })
  return (
    <Section title="Signing secret">
      <Text>Every delivery is signed so that you can verify its sender and integrity.</Text>
      {shown !== undefined && <SecretOnce key={shown} label="New signing secret" secret={shown} />}
      {replacing.error && <RefusalAlert title="Not saved" error={replacing.error} />}
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="Grace period of the old secret"
          {...textField(graceSeconds, setGraceSeconds)}
          data={times}
        />
        <Button variant="default" onClick={() => setAsking(true)}>
          Replace secret
        </Button>
      </Group>
      <ConfirmDialog
        title="Replace the secret?"
        verb="Replace"
        isOpen={isAsking}
        isBusy={replacing.isPending}
        onConfirm={() => replacing.mutate()}
        onClose={() => setAsking(false)}
      >
        {graceSeconds === '0'
          ? 'Receivers reject deliveries until they have the new secret.'
          : 'During the grace period deliveries carry both signatures.'}
      </ConfirmDialog>
    </Section>
  )
}
