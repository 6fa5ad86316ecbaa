import { NumberInput } from '@mantine/core'

interface TokenLifetimeProps {
  readonly description?: string
  readonly value: number | string
  onChange(seconds: number | string): void
  readonly error: string | undefined
}

export function TokenLifetime({
  description = 'From 3600 (an hour) to 86400 (a day)',
  value,
  onChange,
  error,
}: TokenLifetimeProps) {
  return (
    <NumberInput
      label="Token lifetime in seconds"
      description={description}
      min={3600}
      max={86_400}
      step={3600}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}
