import { Radio, Stack } from '@mantine/core'

interface Props<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: Readonly<Record<Value, { readonly name: string; readonly meaning: string }>>
  readonly error?: string | undefined
  readonly gap?: 'xs' | 'sm'
}

/** A choice between values, each with its meaning. */
export function RadioChoice<Value extends string>({ onChange, options, gap = 'sm', ...group }: Props<Value>) {
  const values = Object.keys(options) as Value[]
  return (
    <Radio.Group
      {...group}
      onChange={(next) => {
        const value = values.find((value) => value === next)
        if (value !== undefined) onChange(value)
      }}
    >
      <Stack gap={gap} mt="xs">
        {values.map((value) => (
          <Radio key={value} value={value} label={options[value].name} description={options[value].meaning} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
