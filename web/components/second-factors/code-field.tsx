import { TextInput } from '@mantine/core'
import { textField } from '../../ui/text-field.ts'
import { faultOf } from '../refusal-alert.tsx'

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: unknown
  readonly description: string
  /** Set for the field with the initial focus. */
  readonly isFirst?: true
}

/** A field for a code, which browsers fill in from messages and password managers. */
export function CodeField({ value, onChange, error, description, isFirst }: Props) {
  return (
    <TextInput
      label="Code"
      description={description}
      {...textField(value, onChange, faultOf(error ?? null, 'code'))}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={100}
      required
      withAsterisk={false}
      autoFocus={isFirst ?? false}
    />
  )
}
