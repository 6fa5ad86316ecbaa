import { Button, Code, Group, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { newIdempotencyKey } from '../../../api/client.ts'
import { toRefusal } from '../../../api/refusal.ts'
import type { Credential } from '../../../api/resources.ts'
import type { SecretChange, SecretOwner } from '../../../api/secrets.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Modal } from '../../../ui/dialogs.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { Section } from '../../../ui/section.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { Credentials } from './credentials.tsx'

const MAX_SECRETS = 2

/** Manages one or two client secrets. New ones are shown once. */
export function ClientSecrets({ owner }: { owner: SecretOwner }) {
  const [isReplacing, setReplacing] = useState(false)
  const [leaving, setLeaving] = useState<Credential>()
  // Kept apart from the mutation's data: a later refusal must not hide a new secret.
  const [shown, setShown] = useState<string>()
  const idempotencyKey = useRef(newIdempotencyKey())
  const queries = useQueryClient()
  const readAgain = () => void queries.invalidateQueries({ queryKey: owner.key })
  const changing = useMutation({
    mutationFn: (change: Omit<SecretChange, 'idempotencyKey'>) =>
      owner.change({ ...change, idempotencyKey: idempotencyKey.current }),
    onSuccess: (secret) => setShown((before) => secret ?? before),
    onSettled: (_secret, error) => {
      setReplacing(false)
      readAgain()
      if (error === null || toRefusal(error).status !== 0) idempotencyKey.current = newIdempotencyKey()
    },
  })
  const deleting = useMutation({
    mutationFn: (secretId: string) => owner.remove(secretId),
    onSettled: () => {
      setLeaving(undefined)
      readAgain()
    },
  })
  // Messages refer to the last change.
  function change(input: Omit<SecretChange, 'idempotencyKey'>) {
    deleting.reset()
    changing.mutate(input)
  }
  function remove(secretId: string) {
    changing.reset()
    deleting.mutate(secretId)
  }
  const kept = useQuery({ queryKey: owner.key, queryFn: () => owner.list() }).data ?? []
  const isFull = kept.filter(({ attributes }) => attributes.state !== 'ended').length >= MAX_SECRETS
  const isBusy = changing.isPending || deleting.isPending
  const error = changing.error ?? deleting.error
  return (
    <Section title="Client secrets">
      <Text>
        One or two secrets. For a rotation without downtime, replace the secret with a grace period, update the program,
        then check that the old secret is no longer used.
      </Text>
      {shown !== undefined && <SecretOnce key={shown} label="New client secret" secret={shown} />}
      {deleting.isSuccess && <Text role="status">Secret deleted.</Text>}
      {error && <RefusalAlert title="Not saved" error={error} />}
      <Credentials owner={owner} onDelete={setLeaving} />
      <Group gap="sm">
        <Button variant="default" disabled={isBusy || isFull} onClick={() => change({ mode: 'create' })}>
          Add second secret
        </Button>
        <Button variant="default" disabled={isBusy} onClick={() => setReplacing(true)}>
          Replace
        </Button>
      </Group>
      <Modal opened={isReplacing} onClose={() => setReplacing(false)} title="Replace secret" centered>
        <Replacement isBusy={isBusy} onReplace={(seconds) => change(replacement(seconds))} />
      </Modal>
      <ConfirmDialog
        title="Delete this secret?"
        verb="Delete secret"
        isOpen={leaving !== undefined}
        isBusy={isBusy}
        onConfirm={() => leaving && remove(leaving.id)}
        onClose={() => setLeaving(undefined)}
      >
        The secret with the hint <Code>{leaving?.attributes.hint}</Code> is revoked at once, with all its tokens.
      </ConfirmDialog>
    </Section>
  )
}

function replacement(graceSeconds: number) {
  return { mode: 'replace' as const, ...(graceSeconds > 0 && { grace_seconds: graceSeconds }) }
}

const times = [
  [0, 'None: revoke every secret at once'],
  [3600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '1 week'],
] as const

/** The form of a replacement. The default grace period is a day; after a leak users choose none. */
function Replacement({ isBusy, onReplace }: { isBusy: boolean; onReplace: (graceSeconds: number) => void }) {
  const [seconds, setSeconds] = useState('86400')

  return (
    <SubmitForm onSubmit={() => onReplace(Number(seconds))}>
      <Stack>
        <Radio.Group label="Grace period of the old secret" value={seconds} onChange={setSeconds}>
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
    </SubmitForm>
  )
}
