import { Button, Code, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { newIdempotencyKey } from '../../../api/client.ts'
import { toRefusal } from '../../../api/refusal.ts'
import {
  type Credential,
  changeSecrets,
  deleteSecret,
  type SecretMode,
  type ServiceAccount,
} from '../../../api/service-accounts.ts'
import type { Place } from '../../../paths.ts'
import { RefusalAlert } from '../../../refusal-alert.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { Section } from '../../../ui/section.tsx'
import { Credentials, credentialsKey } from './credentials.tsx'

interface Props {
  readonly place: Place
  readonly account: ServiceAccount
}

/** Only accounts with client secrets have secrets to manage; the others are told what to do instead. */
export function Secrets({ place, account }: Props) {
  const { auth_type } = account.attributes
  if (auth_type === 'oauth_client_secret') return <ClientSecrets place={place} account={account} />
  if (auth_type === 'oauth_private_key_jwt') {
    return (
      <Section title="Credential">
        <Text>It has no secret here: its public keys are read from the address above.</Text>
      </Section>
    )
  }
  return (
    <Section title="Credential">
      <Text>
        Its API key was shown when the account was created and cannot be changed. To change keys, create a second
        account, move the program over, then delete this one.
      </Text>
      <Credentials place={place} account={account} />
    </Section>
  )
}

function ClientSecrets({ place, account }: Props) {
  const [isReplacing, setReplacing] = useState(false)
  const [leaving, setLeaving] = useState<Credential>()
  // Not the mutation's own data: a later refusal must not take a secret from the screen.
  const [shown, setShown] = useState<string>()
  const idempotencyKey = useRef(newIdempotencyKey())
  const queries = useQueryClient()
  const readAgain = () => void queries.invalidateQueries({ queryKey: credentialsKey(place, account.id) })
  const changing = useMutation({
    mutationFn: (change: { mode: SecretMode; grace_seconds?: number }) =>
      changeSecrets(place, account.id, { ...change, idempotencyKey: idempotencyKey.current }),
    onSuccess: ({ data }) => setShown((before) => data.attributes.client_secret ?? before),
    onSettled: (_document, error) => {
      setReplacing(false)
      readAgain()
      if (error === null || toRefusal(error).status !== 0) idempotencyKey.current = newIdempotencyKey()
    },
  })
  const deleting = useMutation({
    mutationFn: (secretId: string) => deleteSecret(place, account.id, secretId),
    onSettled: () => {
      setLeaving(undefined)
      readAgain()
    },
  })
  const isBusy = changing.isPending || deleting.isPending
  const error = changing.error ?? deleting.error
  return (
    <Section title="Client secrets">
      <Text>
        At most two at a time, at least one. To change without an interruption: replace with a time of grace, move the
        program over, and see below that the old one is no longer used.
      </Text>
      {shown !== undefined && <SecretOnce key={shown} label="New client secret" secret={shown} />}
      {deleting.isSuccess && <Text role="status">The secret is deleted.</Text>}
      {error && <RefusalAlert title="Nothing was changed" error={error} />}
      <Credentials place={place} account={account} onDelete={setLeaving} />
      <Group gap="sm">
        <Button variant="default" disabled={isBusy} onClick={() => changing.mutate({ mode: 'create' })}>
          Add a second
        </Button>
        <Button variant="default" disabled={isBusy} onClick={() => setReplacing(true)}>
          Replace
        </Button>
      </Group>
      <Modal
        opened={isReplacing}
        onClose={() => setReplacing(false)}
        title="Replace the secret"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Replacement isBusy={isBusy} onReplace={(seconds) => changing.mutate(replacement(seconds))} />
      </Modal>
      <ConfirmDialog
        title="Delete this secret?"
        verb="Delete it"
        isOpen={leaving !== undefined}
        isBusy={isBusy}
        onConfirm={() => leaving && deleting.mutate(leaving.id)}
        onClose={() => setLeaving(undefined)}
      >
        The secret with the hint <Code>{leaving?.attributes.hint}</Code> is refused at once, with every token it
        obtained.
      </ConfirmDialog>
    </Section>
  )
}

function replacement(graceSeconds: number) {
  return { mode: 'replace' as const, ...(graceSeconds > 0 && { grace_seconds: graceSeconds }) }
}

const times = [
  [0, 'Not at all: every secret is refused at once'],
  [3600, 'For an hour'],
  [86_400, 'For a day'],
  [604_800, 'For a week'],
] as const

/** A day is offered first: who replaces in a hurry, because a secret leaked, chooses otherwise. */
function Replacement({ isBusy, onReplace }: { isBusy: boolean; onReplace: (graceSeconds: number) => void }) {
  const [seconds, setSeconds] = useState('86400')

  function submit(event: FormEvent) {
    event.preventDefault()
    onReplace(Number(seconds))
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <Radio.Group label="How long shall the old one still work?" value={seconds} onChange={setSeconds}>
          <Stack gap="xs" mt="xs">
            {times.map(([value, label]) => (
              <Radio key={value} value={String(value)} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button type="submit" color="red.8" loading={isBusy}>
            Replace
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
