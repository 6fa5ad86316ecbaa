import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { newIdempotencyKey } from '../../../api/client.ts'
import { toRefusal } from '../../../api/refusal.ts'
import { changeSecrets, type SecretMode, type ServiceAccount } from '../../../api/service-accounts.ts'
import type { Place } from '../../../paths.ts'
import { RefusalAlert } from '../../../refusal-alert.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { Section } from '../../../ui/section.tsx'

interface Props {
  readonly place: Place
  readonly account: ServiceAccount
}

/** Only accounts with client secrets have secrets to manage; the others are told what to do instead. */
export function Secrets({ place, account }: Props) {
  const { auth_type } = account.attributes
  if (auth_type === 'oauth_client_secret') return <ClientSecrets place={place} account={account} />
  return (
    <Section title="Credential">
      <Text>
        {auth_type === 'api_key'
          ? 'Its API key was shown when the account was created and cannot be changed. To change keys, create a second account, move the program over, then delete this one.'
          : 'It has no secret here: its public keys are read from the address above.'}
      </Text>
    </Section>
  )
}

function ClientSecrets({ place, account }: Props) {
  const [asked, setAsked] = useState<'replace' | 'delete'>()
  // Not the mutation's own data: a later refusal must not take a secret from the screen.
  const [shown, setShown] = useState<string>()
  const idempotencyKey = useRef(newIdempotencyKey())
  const changing = useMutation({
    mutationFn: (change: { mode: SecretMode; secret?: string }) =>
      changeSecrets(place, account.id, { ...change, idempotencyKey: idempotencyKey.current }),
    onSuccess: ({ data }) => setShown((before) => data.attributes.client_secret ?? before),
    onSettled: (_document, error) => {
      setAsked(undefined)
      if (error === null || toRefusal(error).status !== 0) idempotencyKey.current = newIdempotencyKey()
    },
  })
  const isBusy = changing.isPending
  return (
    <Section title="Client secrets">
      <Text>
        At most two at a time, at least one. To change without an interruption: add one, move the program over, delete
        the old one.
      </Text>
      {shown !== undefined && <SecretOnce key={shown} label="New client secret" secret={shown} />}
      {changing.isSuccess && changing.variables.mode === 'delete' && <Text role="status">The secret is deleted.</Text>}
      {changing.error && <RefusalAlert title="Nothing was changed" error={changing.error} />}
      <Group gap="sm">
        <Button variant="default" loading={isBusy} onClick={() => changing.mutate({ mode: 'create' })}>
          Add a second
        </Button>
        <Button variant="default" disabled={isBusy} onClick={() => setAsked('delete')}>
          Delete one
        </Button>
        <Button variant="outline" color="red" disabled={isBusy} onClick={() => setAsked('replace')}>
          Replace all
        </Button>
      </Group>
      <ConfirmDialog
        title="Replace all secrets?"
        verb="Replace"
        isOpen={asked === 'replace'}
        isBusy={isBusy}
        onConfirm={() => changing.mutate({ mode: 'replace' })}
        onClose={() => setAsked(undefined)}
      >
        Every secret of this account is refused at once, and a new one is shown.
      </ConfirmDialog>
      <Modal
        opened={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        title="Delete one secret"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <SecretToDelete isBusy={isBusy} onDelete={(secret) => changing.mutate({ mode: 'delete', secret })} />
      </Modal>
    </Section>
  )
}

/** Secrets are kept as digests only, so the one to delete has to be brought along. */
function SecretToDelete({ isBusy, onDelete }: { isBusy: boolean; onDelete: (secret: string) => void }) {
  const [secret, setSecret] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    onDelete(secret.trim())
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="The secret to delete"
          description="The server cannot show it; paste it from where the program has it"
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
          autoComplete="off"
          required
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" color="red.8" loading={isBusy}>
            Delete it
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
