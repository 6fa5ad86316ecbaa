import { TextInput } from '@mantine/core'
import { faultOf } from '../../../components/refusal-alert.tsx'
import type { TargetField } from './kinds.ts'

export type Target = Readonly<Record<string, string>>

/** Returns the entered target; undefined if empty. */
export function toTarget(target: Target): Target | undefined {
  const fields = Object.entries(target).filter(([, value]) => value !== '')
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

interface Props {
  readonly fields: readonly TargetField[]
  readonly target: Target
  readonly onChange: (target: Target) => void
  readonly error: Error | null
  /** Set for a form in which the target is optional. */
  readonly isOptional?: boolean
}

/** Fields that identify a repository, depending on the kind of its source. */
export function TargetFields({ fields, target, onChange, error, isOptional = false }: Props) {
  return fields.map((field) => (
    <TextInput
      key={field.name}
      label={field.label}
      description={field.description}
      placeholder={field.placeholder ?? ''}
      value={target[field.name] ?? ''}
      onChange={(event) => onChange({ ...target, [field.name]: event.currentTarget.value.trim() })}
      error={faultOf(error, `target/${field.name}`)}
      required={!isOptional && !field.isOptional}
      spellCheck={false}
      autoCapitalize="off"
    />
  ))
}
