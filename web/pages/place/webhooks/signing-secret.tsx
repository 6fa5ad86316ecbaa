import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { newIdempotencyKey } from '../../../api/client.ts'
import { toRefusal } from '../../../api/refusal.ts'
import { replaceSecret } from '../../../api/webhooks.ts'
import { RefusalAlert } from '../../../refusal-alert.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { Section } from '../../../ui/section.tsx'
import type { OfWebhook } from './one.tsx'

const times = [
  { value: '86400', label: 'For a day' },
  { value: '3600', label: 'For an hour' },
  { value: '604800', label: 'For a week' },
  { value: '0', label: 'Not at all' },
]

export function SigningSecret({ orgId, webhook }: OfWebhook) {
  const [isAsking, setAsking] = useState(false)
  const [graceSeconds, setGraceSeconds] = useState('86400')
  // Not the mutation's own data: a later refusal must not take a secret from the screen.
  const [shown, setShown] = useState<string>()
  const idempotencyKey = useRef(newIdempotencyKey())
  const queries = useQueryClient()
  const replacing = useMutation({
    mutationFn: () =>
      replaceSecret(orgId, webhook.id, {
        graceSeconds: Number(graceSeconds),
        idempotencyKey: idempotencyKey.current,
      }),
    onSuccess: setShown,
    onSettled: (_secret, error) => {
      setAsking(false)
      void queries.invalidateQueries({ queryKey: ['webhook', orgId, webhook.id] })
      if (error === null || toRefusal(error).status !== 0) idempotencyKey.current = newIdempotencyKey()
    },
  })
  return (
    <Section title="Signing secret">
      <Text>Messages carry a signature by which the receiver knows that they are from here and whole.</Text>
      {shown !== undefined && <SecretOnce key={shown} label="New signing secret" secret={shown} />}
      {replacing.error && <RefusalAlert title="Nothing was changed" error={replacing.error} />}
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="The old one signs too"
          value={graceSeconds}
          onChange={(event) => setGraceSeconds(event.currentTarget.value)}
          data={times}
        />
        <Button variant="default" onClick={() => setAsking(true)}>
          Replace the secret
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
          ? 'The receiver refuses what is sent until it has the new one.'
          : 'Until the time is over, messages carry a signature of each.'}
      </ConfirmDialog>
    </Section>
  )
}
