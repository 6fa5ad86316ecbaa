import { NativeSelect } from '@mantine/core'
import { textField } from './text-field.ts'

/** Days until a credential expires; empty for no expiry. */
const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Does not expire' },
]

interface Props {
  readonly label?: string
  readonly value: string
  readonly onChange: (days: string) => void
  readonly error: string | undefined
}

export function ExpiryChoice({ label = 'Expires in', value, onChange, error }: Props) {
  return <NativeSelect label={label} {...textField(value, onChange, error)} data={lifetimes} />
}

/** Returns the attribute of a new credential for a chosen number of days. */
export function expiresIn(days: string): { expires_at?: string } {
  return days === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }
}
