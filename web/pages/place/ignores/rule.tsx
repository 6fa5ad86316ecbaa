import { Button, Group, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createPolicy, getPolicy, updatePolicy } from '../../../api/policies.ts'
import type { Condition, ConditionField, Policy, PolicyInput } from '../../../api/resources.ts'
import { useCreation } from '../../../components/creation.tsx'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { type ConsoleScope, paths } from '../../../navigation/paths.ts'
import { useNavigate, useParams } from '../../../router/react.tsx'
import { Crumbs } from '../../../ui/crumbs.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import type { Severity } from '../../../ui/severity.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { textField } from '../../../ui/text-field.ts'
import { ValuesField } from './condition-fields.tsx'
import { freshTerms, type IgnoreTerms, TermsFields, termsInput, useTermsForm } from './fields.tsx'
import { Impact, usePreview } from './impact.tsx'
import { keysOfRules } from './read-again.ts'
import { fields } from './rule-words.ts'
import styles from './rules.module.css'

export function NewRule() {
  const place = usePlace()
  const navigate = useNavigate()
  const creating = useCreation({
    create: (input: PolicyInput, key) => createPolicy(place, input, key),
    listKey: ['policies'],
    onCreated: () => navigate(paths.ignores(place)),
  })
  return <Editor place={place} title="New rule" action="Create rule" saving={creating} onSave={creating.mutate} />
}

export function RulePage() {
  const place = usePlace()
  const { policyId = '' } = useParams()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const reading = useQuery({ queryKey: ['policy', place, policyId], queryFn: () => getPolicy(place, policyId) })
  const saving = useMutation({
    mutationFn: (input: PolicyInput) => updatePolicy(place, policyId, input),
    onSuccess: () => {
      for (const queryKey of keysOfRules(place)) void queries.invalidateQueries({ queryKey })
      navigate(paths.ignores(place))
    },
  })
  return (
    <ResourcePage kind="Rule" reading={reading}>
      {(policy) => (
        <Editor
          key={policy.attributes.updated_at}
          place={place}
          policy={policy}
          title={policy.attributes.name}
          action="Save rule"
          saving={saving}
          onSave={saving.mutate}
        />
      )}
    </ResourcePage>
  )
}

interface EditorProps {
  readonly place: ConsoleScope
  readonly policy?: Policy
  readonly title: string
  /** Label of the button that saves. */
  readonly action: string
  readonly saving: { readonly isPending: boolean; readonly error: Error | null }
  onSave(input: PolicyInput): void
}

/** Milliseconds without a change after which the preview is computed. */
const PAUSE_MS = 400

function Editor({ place, policy, title, action, saving: { isPending, error }, onSave }: EditorProps) {
  const [name, setName] = useState(policy?.attributes.name ?? '')
  const [terms, setTerms] = useState(() => (policy ? termsOf(policy) : freshTerms()))
  const [conditions, setConditions] = useState<readonly Condition[]>(
    policy?.attributes.conditions_group.conditions ?? [{ field: 'package', operator: 'includes', value: [] }],
  )
  const [settled] = useDebouncedValue(conditions, PAUSE_MS)
  const isComplete = settled.length > 0 && settled.every(({ value }) => value.length > 0)
  const [severity, setSeverity] = useState<Severity | undefined>(policy?.attributes.action.data.severity)
  const preview = usePreview(place, isComplete ? scopeOf(settled) : undefined, severity)
  const { submit, isEndMissing } = useTermsForm(terms, () =>
    onSave({
      name: name.trim(),
      ...(severity ? changeInput(severity, terms) : termsInput(terms)),
      ...scopeOf(conditions),
    }),
  )
  return (
    <Page title={title} before={<Crumbs of={[{ label: 'Ignores', to: paths.ignores(place) }]} here={title} />}>
      <SubmitForm onSubmit={submit} aria-label="Rule" className={styles['columns']}>
        <Section title="Conditions">
          <Conditions place={place} conditions={conditions} error={error} onChange={setConditions} />
        </Section>
        <div className={styles['preview']}>
          <Section title={severity ? 'Changes now' : 'Hides now'}>
            {isComplete ? (
              <Impact reading={preview} />
            ) : (
              <Text size="sm">Complete the conditions to see what the rule would affect.</Text>
            )}
            <Text size="sm" c="dimmed">
              The rule also holds in projects that are imported later.
            </Text>
          </Section>
        </div>
        <Stack gap="lg">
          <Section title="Action">
            <NativeSelect
              label="Action"
              value={severity ?? ''}
              onChange={({ currentTarget: { value } }) => setSeverity(value === '' ? undefined : (value as Severity))}
              data={actionsFor(policy)}
            />
            <TextInput label="Name" {...textField(name, setName, faultOf(error, 'name'))} maxLength={100} required />
            {severity ? (
              <TextInput
                label="Reason"
                {...textField(
                  terms.reason,
                  (reason) => setTerms((now) => ({ ...now, reason })),
                  faultOf(error, 'reason'),
                )}
                required
              />
            ) : (
              <TermsFields
                terms={terms}
                onChange={(part) => setTerms((now) => ({ ...now, ...part }))}
                isEndMissing={isEndMissing}
                error={error}
              />
            )}
          </Section>
          {error && <RefusalAlert title="Rule not saved" error={error} />}
          <Group>
            <Button type="submit" loading={isPending} disabled={conditions.length === 0}>
              {action}
            </Button>
            <ButtonLink variant="default" to={paths.ignores(place)}>
              Cancel
            </ButtonLink>
          </Group>
        </Stack>
      </SubmitForm>
    </Page>
  )
}

interface ConditionsProps {
  readonly place: ConsoleScope
  readonly conditions: readonly Condition[]
  readonly error: Error | null
  readonly onChange: (conditions: readonly Condition[]) => void
}

const allFields = Object.keys(fields) as ConditionField[]

/** The conditions of a rule, each field once. All must hold. */
function Conditions({ place, conditions, error, onChange }: ConditionsProps) {
  const unused = allFields.filter((name) => conditions.every(({ field }) => field !== name))
  const replace = (index: number, condition: Condition) => onChange(conditions.with(index, condition))
  const blank = (field: ConditionField): Condition => ({
    field,
    operator: 'includes',
    value: field === 'fix-available' ? ['false'] : [],
  })
  return (
    <Stack gap="sm">
      {conditions.map((condition, index) => (
        <Paper key={condition.field} withBorder p="sm" className={styles['condition']}>
          <NativeSelect
            label={index === 0 ? 'If' : 'and'}
            value={condition.field}
            onChange={({ currentTarget: { value } }) => replace(index, blank(value as ConditionField))}
            data={[condition.field, ...unused].map((value) => ({ value, label: fields[value] }))}
          />
          <ValuesField
            place={place}
            condition={condition}
            error={faultOf(error, `conditions/${index}`)}
            onChange={(value) => replace(index, { ...condition, value: [...value] })}
          />
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Remove ${fields[condition.field]}`}
            onClick={() => onChange(conditions.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </Paper>
      ))}
      {unused[0] !== undefined && (
        <Group>
          <Button variant="default" onClick={() => onChange([...conditions, blank(unused[0]!)])}>
            Add condition
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function termsOf({ attributes: { action } }: Policy): IgnoreTerms {
  const { ignore_type = 'wont-fix', reason, expires = '' } = action.data
  return { reason, reasonType: ignore_type, expires, disregardIfFixable: false }
}

function changeInput(severity: Severity, { reason }: IgnoreTerms): Pick<PolicyInput, 'action_type' | 'action'> {
  return { action_type: 'severity', action: { data: { severity, reason } } }
}

/** The actions to choose from: that of an existing rule stays an ignore, or a change of severity. */
function actionsFor(policy: Policy | undefined) {
  const ignore = { value: '', label: 'Ignore' }
  const changes = (['critical', 'high', 'medium', 'low'] as const).map((value) => ({
    value,
    label: `Set severity to ${value}`,
  }))
  if (!policy) return [ignore, ...changes]
  return policy.attributes.action_type === 'severity' ? changes : [ignore]
}

function scopeOf(conditions: readonly Condition[]): Pick<PolicyInput, 'conditions_group'> {
  return { conditions_group: { logical_operator: 'and', conditions: [...conditions] } }
}
