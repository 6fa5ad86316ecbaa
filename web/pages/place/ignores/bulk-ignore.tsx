import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { createPolicy } from '../../../api/policies.ts'
import type { Condition, Policy, PolicyInput, Selection } from '../../../api/resources.ts'
import { useCreation } from '../../../components/creation.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { Modal } from '../../../ui/dialogs.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { countOf } from '../../../ui/words.ts'
import { freshTerms, type IgnoreTerms, TermsFields, termsInput, UnfixableSwitch, useTermsForm } from './fields.tsx'
import { Impact, usePreview } from './impact.tsx'

/** Vulnerabilities by id, or all that match a query when the rule is created. */
export type Selected =
  | { readonly ids: readonly string[] }
  | { readonly ids: readonly string[]; readonly name: string }
  | { readonly query: Selection['query']; readonly count: number; readonly words: string }

interface Props {
  readonly orgId: string
  readonly selected: Selected
  readonly onDone: (policy: Policy, what: string) => void
  readonly onClose: () => void
}

/** Ignores vulnerabilities in all projects, present and future, by one rule. */
export function BulkIgnore({ orgId, selected, onDone, onClose }: Props) {
  const place = { kind: 'orgs', id: orgId } as const
  const [terms, setTerms] = useState(freshTerms)
  const change = (part: Partial<IgnoreTerms>) => setTerms((now) => ({ ...now, ...part }))
  const preview = usePreview(place, scopeOf(selected, terms))
  const what = whatOf(selected, preview.data?.vulnerabilities)
  const saving = useCreation({
    create: (input: PolicyInput, idempotencyKey) => createPolicy(place, input, idempotencyKey),
    listKey: ['policies'],
    onCreated: (policy) => onDone(policy, what),
  })
  const { error, isPending } = saving
  const { submit, isEndMissing } = useTermsForm(terms, () =>
    saving.mutate({ ...termsInput(terms), name: `Ignore ${what}`, ...scopeOf(selected, terms) }),
  )

  return (
    <Modal opened onClose={onClose} title={`Ignore ${what}`} size="lg">
      <SubmitForm onSubmit={submit} aria-label="Ignore vulnerabilities">
        <Stack>
          {'query' in selected && <Text size="sm">All that match: {selected.words}.</Text>}
          <Impact reading={preview} />
          <TermsFields terms={terms} onChange={change} isEndMissing={isEndMissing} error={error} />
          {'ids' in selected && <UnfixableSwitch terms={terms} onChange={change} />}
          {error && <RefusalAlert title="Not ignored" error={error} />}
          <Text size="sm" c="dimmed">
            Holds in all projects, also in those imported later. Can be undone for 30 days.
          </Text>
          <Group>
            <Button type="submit" loading={isPending}>
              Ignore {what}
            </Button>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </SubmitForm>
    </Modal>
  )
}

/** Names what is ignored: a vulnerability or a number of them, which the preview may know better than the list. */
function whatOf(selected: Selected, previewed: number | undefined): string {
  if ('name' in selected) return selected.name
  const count = 'ids' in selected ? selected.ids.length : (previewed ?? selected.count)
  return countOf(count, 'vulnerability', 'vulnerabilities')
}

/** A query is resolved to ids when the rule is created, so it has no further conditions. */
function scopeOf(
  selected: Selected,
  { disregardIfFixable }: IgnoreTerms,
): Pick<PolicyInput, 'conditions_group' | 'selection'> {
  if ('query' in selected) return { selection: { query: selected.query } }
  const conditions: Condition[] = [{ field: 'vulnerability-id', operator: 'includes', value: [...selected.ids] }]
  if (disregardIfFixable) conditions.push({ field: 'fix-available', operator: 'includes', value: ['false'] })
  return { conditions_group: { logical_operator: 'and', conditions } }
}
