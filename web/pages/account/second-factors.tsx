import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { supportsPasskeys } from '../../api/passkeys.ts'
import type { Added, Factor, Factors } from '../../api/resources.ts'
import { Note } from '../../components/note.tsx'
import { ReadingAlert } from '../../components/refusal-alert.tsx'
import { AppSetUp } from '../../components/second-factors/app-set-up.tsx'
import { PasskeySetUp } from '../../components/second-factors/passkey-set-up.tsx'
import { RecoveryCodes } from '../../components/second-factors/recovery-codes.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Modal } from '../../ui/dialogs.tsx'
import { Age } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { FactorRemoval } from './factor-removal.tsx'
import { NewCodes } from './new-codes.tsx'
import { RecentSignIn } from './recent-sign-in.tsx'

const kinds: Readonly<Record<Factor['kind'], string>> = { totp: 'Authenticator app', passkey: 'Passkey' }

type Dialog =
  | { readonly of: 'app' | 'passkey' | 'new-codes' }
  | { readonly of: 'removal'; readonly factor: Factor }
  | { readonly of: 'codes'; readonly codes: readonly string[] }

const titles: Readonly<Record<Dialog['of'], string>> = {
  app: 'Add an authenticator app',
  passkey: 'Add a passkey',
  'new-codes': 'Create new recovery codes?',
  removal: 'Remove this second factor?',
  codes: 'Recovery codes',
}

export function SecondFactors({ email }: { email: string }) {
  const reading = useQuery({ queryKey: ['second-factors'], queryFn: () => call('listFactors', {}) })
  const [dialog, setDialog] = useState<Dialog>()
  return (
    <Section title="Second factors">
      <ReadingAlert title="Could not load your second factors" reading={reading} />
      {reading.data && <Overview factors={reading.data} onOpen={setDialog} />}
      <Modal
        opened={dialog !== undefined}
        onClose={() => setDialog(undefined)}
        title={dialog && titles[dialog.of]}
        centered
        closeOnClickOutside={false}
      >
        {dialog && <Content dialog={dialog} email={email} onNext={setDialog} />}
      </Modal>
    </Section>
  )
}

function Overview({ factors, onOpen }: { factors: Factors; onOpen: (dialog: Dialog) => void }) {
  const hasFactors = factors.factors.length > 0
  return (
    <>
      {hasFactors ? (
        <DataTable
          label="Second factors"
          rows={factors.factors}
          rowKey={({ id }) => id}
          columns={[
            { name: 'Name', cell: ({ name }) => name },
            { name: 'Kind', cell: ({ kind }) => kinds[kind] },
            { name: 'Added', cell: ({ created_at }) => <Age time={created_at} /> },
            {
              name: 'Last used',
              cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Age time={last_used_at} />),
            },
            {
              name: 'Action',
              cell: (factor) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Remove ${factor.name}`}
                  onClick={() => onOpen({ of: 'removal', factor })}
                >
                  Remove
                </Button>
              ),
            },
          ]}
        />
      ) : (
        <Text>No second factors yet. A second factor protects your account if your password is stolen.</Text>
      )}
      {factors.required_by !== null && <Note size="sm">{factors.required_by} requires a second factor.</Note>}
      <Group gap="sm">
        <Button variant="default" onClick={() => onOpen({ of: 'app' })}>
          Add authenticator app
        </Button>
        {factors.passkeys_supported && supportsPasskeys() && (
          <Button variant="default" onClick={() => onOpen({ of: 'passkey' })}>
            Add passkey
          </Button>
        )}
      </Group>
      {!factors.passkeys_supported && (
        <Note size="sm">Passkeys need a public address with https and a domain name.</Note>
      )}
      {hasFactors && <CodesLeft left={factors.recovery_codes} onRenew={() => onOpen({ of: 'new-codes' })} />}
    </>
  )
}

function CodesLeft({ left, onRenew }: { left: number; onRenew: () => void }) {
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm">
        {left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`}
        {left < 4 && ' Create new ones soon.'}
      </Text>
      <Button variant="default" onClick={onRenew}>
        Create new codes
      </Button>
    </Group>
  )
}

interface ContentProps {
  readonly dialog: Dialog
  readonly email: string
  readonly onNext: (dialog: Dialog | undefined) => void
}

function Content({ dialog, email, onNext }: ContentProps) {
  const queries = useQueryClient()

  function finish(added?: Added) {
    void queries.invalidateQueries({ queryKey: ['second-factors'] })
    void queries.invalidateQueries({ queryKey: ['user-sessions'] })
    const codes = added?.recovery_codes ?? []
    onNext(codes.length === 0 ? undefined : { of: 'codes', codes })
  }

  if (dialog.of === 'codes') return <RecoveryCodes codes={dialog.codes} onDone={() => onNext(undefined)} />
  return (
    <RecentSignIn email={email}>
      {dialog.of === 'app' && <AppSetUp noun="Factor" onAdded={finish} />}
      {dialog.of === 'passkey' && <PasskeySetUp noun="Factor" onAdded={finish} />}
      {dialog.of === 'new-codes' && <NewCodes onCreated={finish} onCancel={() => onNext(undefined)} />}
      {dialog.of === 'removal' && (
        <FactorRemoval factor={dialog.factor} onRemoved={() => finish()} onCancel={() => onNext(undefined)} />
      )}
    </RecentSignIn>
  )
}
