import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { addPasskey } from '../../api/passkeys.ts'
import { useAction } from '../../hooks/action.ts'
import { SubmitForm } from '../../ui/submit-form.tsx'
import { textField } from '../../ui/text-field.ts'
import { faultOf, RefusalAlert } from '../refusal-alert.tsx'
import type { SetUpProps } from './app-set-up.tsx'

/** Creates a passkey on a device of the user's choice. */
export function PasskeySetUp({ noun, onAdded }: SetUpProps) {
  const [name, setName] = useState('Passkey')
  const { run, isRunning, error } = useAction(async () => onAdded(await addPasskey(noun, name)))

  return (
    <SubmitForm onSubmit={() => void run()}>
      <Stack>
        {error !== undefined && <RefusalAlert title="Not added" error={error} />}
        <Text size="sm">Your browser asks for a fingerprint, face, PIN or security key.</Text>
        <TextInput
          label="Name"
          description="To recognize the passkey in your list"
          {...textField(name, setName, faultOf(error ?? null, 'name'))}
          maxLength={60}
          required
          withAsterisk={false}
          autoFocus
        />
        <Button type="submit" loading={isRunning} fullWidth>
          Create passkey
        </Button>
      </Stack>
    </SubmitForm>
  )
}
