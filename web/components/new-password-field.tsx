import { PasswordInput } from '@mantine/core'
import { textField } from '../ui/text-field.ts'
import { faultOf } from './refusal-alert.tsx'

export const MIN_PASSWORD_LENGTH = 12

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: unknown
}

/** A field for a new password, which password managers fill in. */
export function NewPasswordField({ value, onChange, error }: Props) {
  return (
    <PasswordInput
      label="New password"
      description={`At least ${MIN_PASSWORD_LENGTH} characters`}
      {...textField(value, onChange, faultOf(error ?? null, 'password'))}
      autoComplete="new-password"
      minLength={MIN_PASSWORD_LENGTH}
      maxLength={1024}
      required
      withAsterisk={false}
    />
  )
}
