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
