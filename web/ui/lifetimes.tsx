import { NativeSelect } from '@mantine/core'
import { textField } from './text-field.ts'

const HOUR_SECONDS = 3600

/** Hours that a token may be valid; the server takes any number of seconds between the first and the last. */
const presets = [1, 4, 8, 24]

interface TokenLifetimeProps {
  readonly description?: string
  readonly value: number
  onChange(seconds: number): void
  readonly error: string | undefined
}

export function TokenLifetime({ description, value, onChange, error }: TokenLifetimeProps) {
  const choices = [...new Set([...presets.map((hours) => hours * HOUR_SECONDS), value])].sort((a, b) => a - b)
  return (
    <NativeSelect
      label="Access tokens are valid for"
      description={description}
      {...textField(String(value), (seconds) => onChange(Number(seconds)), error)}
      data={choices.map((seconds) => ({ value: String(seconds), label: toWords(seconds) }))}
    />
  )
}

function toWords(seconds: number): string {
  if (seconds % HOUR_SECONDS !== 0) return `${seconds.toLocaleString()} seconds`
  return seconds === HOUR_SECONDS ? '1 hour' : `${seconds / HOUR_SECONDS} hours`
}

/** Days until a credential expires; empty for no expiry. */
const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Does not expire' },
]

interface ExpiryProps {
  readonly label?: string
  readonly value: string
  readonly onChange: (days: string) => void
  readonly error: string | undefined
}

export function ExpiryChoice({ label = 'Expires in', value, onChange, error }: ExpiryProps) {
  return <NativeSelect label={label} {...textField(value, onChange, error)} data={lifetimes} />
}

/** Returns the attribute of a new credential for a chosen number of days. */
export function expiresIn(days: string): { expires_at?: string } {
  return days === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }
}
