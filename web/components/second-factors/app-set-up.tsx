import { Button, Code, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import type { FactorNoun } from '../../api/passkeys.ts'
import type { Added, AppOffer } from '../../api/resources.ts'
import { useAction } from '../../hooks/action.ts'
import { SubmitForm } from '../../ui/submit-form.tsx'
import { textField } from '../../ui/text-field.ts'
import { faultOf, RefusalAlert } from '../refusal-alert.tsx'
import { CodeField } from './code-field.tsx'
import { QrCode } from './qr-code.tsx'

export interface SetUpProps {
  readonly noun: FactorNoun
  readonly onAdded: (added: Added) => void
}

/** Sets up an authenticator app: a QR code, then the first code as proof. */
export function AppSetUp({ noun, onAdded }: SetUpProps) {
  const [offer, setOffer] = useState<AppOffer>()
  const starting = useAction(async () => setOffer(await call(`offerApp${noun}`, {})))
  // biome-ignore lint/correctness/useExhaustiveDependencies: each start makes another secret
  useEffect(() => void starting.run(), [])

  if (starting.error !== undefined) {
    return <RefusalAlert title="Could not start" error={starting.error} onRetry={() => void starting.run()} />
  }
  if (!offer) return <Loader role="status" aria-label="Loading" />
  return <AppForm offer={offer} noun={noun} onAdded={onAdded} />
}

function AppForm({ offer, noun, onAdded }: SetUpProps & { offer: AppOffer }) {
  const [name, setName] = useState('Authenticator app')
  const [code, setCode] = useState('')
  const { run, isRunning, error } = useAction(async () =>
    onAdded(await call(`addApp${noun}`, { body: { id: offer.id, name, code } })),
  )

  return (
    <SubmitForm onSubmit={() => void run()}>
      <Stack>
        {error !== undefined && <RefusalAlert title="Not added" error={error} />}
        <Text size="sm">Scan this with an authenticator app, then enter the code that the app shows.</Text>
        <QrCode text={offer.address} label="QR code for the authenticator app" />
        <Text size="sm" className="breakable">
          Or enter this key in the app: <Code className="secret">{offer.secret.replace(/.{4}(?!$)/g, '$& ')}</Code>
        </Text>
        <CodeField value={code} onChange={setCode} error={error} description="Six digits" isFirst />
        <TextInput
          label="Name"
          description="To recognize the app in your list"
          {...textField(name, setName, faultOf(error ?? null, 'name'))}
          maxLength={60}
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={isRunning} fullWidth>
          Add authenticator app
        </Button>
      </Stack>
    </SubmitForm>
  )
}
