import { Button, Group, Switch, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { IgnoreWanted } from '../../../api/ignores.ts'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { toInstant, toLocal } from '../../../ui/local-time.ts'
import { RadioChoice } from '../../../ui/radio-choice.tsx'
import { textField } from '../../../ui/text-field.ts'
import { reasonTypes } from './words.ts'

/** The part of an ignore that does not depend on the issue. */
export type IgnoreTerms = Omit<IgnoreWanted, 'issueId' | 'path'>

const DAY_MS = 86_400_000

/** Offered ends, by days from now. */
const presets = { 30: '30 days', 90: '90 days', 365: '1 year' } as const
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

export const freshTerms = (): IgnoreTerms => ({
  reason: '',
  reasonType: 'temporary-ignore',
  disregardIfFixable: false,
  expires: inDays(90),
})

const lacksEnd = ({ reasonType, expires }: IgnoreTerms) => reasonType === 'temporary-ignore' && expires === ''

/**
 * Submits a form of terms, unless a temporary ignore has no expiry: the server would accept it, and it would never
 * expire.
 */
export function useTermsForm(terms: IgnoreTerms, save: () => void) {
  const [wasRefused, setWasRefused] = useState(false)

  function submit() {
    setWasRefused(lacksEnd(terms))
    if (!lacksEnd(terms)) save()
  }

  return { submit, isEndMissing: wasRefused && lacksEnd(terms) }
}

interface Props {
  readonly terms: IgnoreTerms
  readonly onChange: (part: Partial<IgnoreTerms>) => void
  readonly isEndMissing: boolean
  readonly error: Error | null
  /** Fields between the reason and the expiry. */
  readonly children?: ReactNode
}

export function TermsFields({ terms, onChange, isEndMissing, error, children }: Props) {
  const isTemporary = terms.reasonType === 'temporary-ignore'
  return (
    <>
      <RadioChoice
        label="Why"
        value={terms.reasonType}
        onChange={(reasonType) =>
          onChange({ reasonType, expires: reasonType === 'temporary-ignore' ? inDays(90) : '' })
        }
        error={faultOf(error, 'reasonType')}
        options={reasonTypes}
        gap="xs"
      />
      <Textarea
        label="Reason"
        description="Shown with the ignore"
        {...textField(terms.reason, (reason) => onChange({ reason }), faultOf(error, 'reason'))}
        autosize
        minRows={2}
        maxLength={5000}
        required
      />
      {children}
      <Group gap="xs" align="flex-end">
        <TextInput
          type="datetime-local"
          label="End date"
          description={`Local time. Issues count again after this${isTemporary ? '' : '; empty for no end'}`}
          withAsterisk={isTemporary}
          aria-required={isTemporary}
          value={toLocal(terms.expires)}
          onChange={({ currentTarget: { value } }) => onChange({ expires: toInstant(value) })}
          error={isEndMissing ? 'Choose an end date. A temporary ignore must end.' : faultOf(error, 'expires')}
        />
        {Object.entries(presets).map(([days, label]) => (
          <Button key={days} variant="default" onClick={() => onChange({ expires: inDays(Number(days)) })}>
            {label}
          </Button>
        ))}
      </Group>
    </>
  )
}

/** Limits an ignore to the time before a fix. */
export function UnfixableSwitch({ terms, onChange }: Pick<Props, 'terms' | 'onChange'>) {
  return (
    <Switch
      label="Only while no fix exists"
      description="Counts again as soon as an upgrade or a pin fixes it"
      checked={terms.disregardIfFixable}
      onChange={({ currentTarget: { checked } }) => onChange({ disregardIfFixable: checked })}
    />
  )
}

/** Converts terms to the action of a rule. */
export function termsInput({ reason, reasonType, expires }: IgnoreTerms) {
  const data = { ignore_type: reasonType, reason, ...(expires !== '' && { expires }) }
  return { action_type: 'ignore', action: { data } } as const
}
