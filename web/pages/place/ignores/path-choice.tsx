import { Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { textField } from '../../../ui/text-field.ts'

/** Maximum number of offered paths. */
const FIRST_PATHS = 8

interface Props {
  readonly paths: readonly string[]
  readonly value: string
  readonly onChange: (path: string) => void
  readonly error: string | undefined
}

/** Chooses every path, an existing one, or a pattern. */
export function PathChoice({ paths, value, onChange, error }: Props) {
  const [isPattern, setPattern] = useState(false)
  const offered = paths.slice(0, FIRST_PATHS)

  function choose(next: string) {
    setPattern(next === 'pattern')
    onChange(next === 'pattern' ? (offered[0] ?? '') : next)
  }

  return (
    <>
      <Radio.Group
        label="Where"
        value={isPattern ? 'pattern' : value}
        onChange={choose}
        error={isPattern ? undefined : error}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="*" label="All paths, including future ones" />
          {offered.map((path) => (
            <Radio key={path} value={path} label={path} classNames={{ label: 'breakable' }} />
          ))}
          <Radio value="pattern" label="Paths that match a pattern" />
        </Stack>
      </Radio.Group>
      {isPattern && (
        <TextInput
          label="Pattern"
          description="Packages from the direct dependency down, joined by “ > ”: each a name, name@version, name@range, or * for any number of packages"
          {...textField(value, onChange, error)}
          spellCheck={false}
          required
        />
      )}
    </>
  )
}
