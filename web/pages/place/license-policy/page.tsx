import { Button, Group, NativeSelect, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callData } from '../../../api/client.ts'
import type { LicensePolicy, LicensePolicyInput, LicenseRule, LicenseVerdict } from '../../../api/resources.ts'
import { Note } from '../../../components/note.tsx'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { Page } from '../../../ui/page.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { textField } from '../../../ui/text-field.ts'
import { presets } from './presets.ts'

export function LicensePolicyPage() {
  const { id: orgId } = usePlace()
  const reading = useQuery({
    queryKey: ['license-policy', orgId],
    queryFn: () => callData('getLicensePolicy', { params: { org_id: orgId } }).then(({ attributes }) => attributes),
  })
  return (
    <ResourcePage kind="License policy" reading={reading}>
      {(policy) => (
        <Page
          title="License policy"
          lead={
            policy.updated_at === null ? (
              'All licenses are allowed until the policy is changed.'
            ) : (
              <>
                Packages whose license is not allowed have a license issue. Changed <Age time={policy.updated_at} />.
              </>
            )
          }
        >
          <Form key={policy.updated_at} orgId={orgId} policy={policy} />
        </Page>
      )}
    </ResourcePage>
  )
}

const verdicts: Readonly<Record<LicenseVerdict, string>> = {
  none: 'Allowed',
  low: 'Low severity',
  medium: 'Medium severity',
  high: 'High severity',
  critical: 'Critical severity',
}
const verdictChoices = Object.entries(verdicts).map(([value, label]) => ({ value, label }))

/** A rule in the form; its key stays the same while other rules are added or removed. */
interface Row {
  readonly key: number
  readonly rule: LicenseRule
}

function Form({ orgId, policy }: { orgId: string; policy: LicensePolicy }) {
  const [unlisted, setUnlisted] = useState(policy.unlisted_severity)
  const [unknown, setUnknown] = useState(policy.unknown_severity)
  const [rows, setRows] = useState<readonly Row[]>(policy.rules.map((rule, key) => ({ key, rule })))
  const queries = useQueryClient()
  const changing = useMutation({
    mutationFn: (input: LicensePolicyInput) =>
      callData('updateLicensePolicy', {
        params: { org_id: orgId },
        body: { data: { id: orgId, type: 'license_policy', attributes: input } },
      }),
    onSuccess: ({ attributes }) => queries.setQueryData(['license-policy', orgId], attributes),
  })

  function submit() {
    const rules = rows.map(({ rule: { license, severity, instructions } }) => ({
      license: license.trim(),
      severity,
      ...(instructions !== undefined && instructions.trim() !== '' && { instructions }),
    }))
    changing.mutate({ rules, unlisted_severity: unlisted, unknown_severity: unknown })
  }

  const addRule = () =>
    setRows((now) => [...now, { key: Math.max(-1, ...now.map(({ key }) => key)) + 1, rule: newRule }])

  function fillIn({ rules, unlisted_severity, unknown_severity }: LicensePolicyInput) {
    setRows(rules.map((rule, key) => ({ key, rule })))
    setUnlisted(unlisted_severity)
    setUnknown(unknown_severity)
  }

  return (
    <SubmitForm onSubmit={submit}>
      <Stack gap="lg">
        <Presets onChoose={fillIn} />
        <Section title="Defaults">
          <SimpleGrid cols={{ base: 1, sm: 2 }} maw="44rem">
            <VerdictChoice
              label="Licenses without a rule"
              description="Packages under a license without a rule"
              value={unlisted}
              onChange={setUnlisted}
            />
            <VerdictChoice
              label="Unknown licenses"
              description="Packages with an unknown license"
              value={unknown}
              onChange={setUnknown}
            />
          </SimpleGrid>
        </Section>
        <Section title="Rules">
          {rows.length === 0 && (
            <Text c="dimmed">No rules yet. Add one for each license that differs, or use a preset.</Text>
          )}
          <LicenseIds />
          {rows.map(({ key, rule }, index) => (
            <RuleFields
              key={key}
              number={index + 1}
              rule={rule}
              fault={faultOf(changing.error, `rules/${index}/license`)}
              onChange={(part) =>
                setRows((now) => now.map((row) => (row.key === key ? { key, rule: { ...row.rule, ...part } } : row)))
              }
              onRemove={() => setRows((now) => now.filter((row) => row.key !== key))}
            />
          ))}
          <Group>
            <Button variant="default" onClick={addRule}>
              Add rule
            </Button>
          </Group>
        </Section>
        {changing.error && <RefusalAlert title="License policy not saved" error={changing.error} />}
        <Group>
          <Button type="submit" loading={changing.isPending}>
            Save policy
          </Button>
          <Note size="sm">Imported projects are tested again soon after a change.</Note>
        </Group>
      </Stack>
    </SubmitForm>
  )
}

/** Fills in the form; saving stays a step of its own. */
function Presets({ onChoose }: { onChoose: (policy: LicensePolicyInput) => void }) {
  const [chosen, setChosen] = useState<string>()
  return (
    <Section title="Presets">
      {presets.map(({ name, meaning, policy }) => (
        <Group key={name} justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Text fw={600} size="sm">
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              {meaning}
            </Text>
          </div>
          <Button
            flex="none"
            size="compact-md"
            variant="default"
            aria-label={`Use preset: ${name}`}
            onClick={() => {
              onChoose(policy)
              setChosen(name)
            }}
          >
            Use preset
          </Button>
        </Group>
      ))}
      <Note size="sm">
        <span role="status">
          {chosen === undefined
            ? 'A preset replaces defaults and rules below. Nothing is saved before “Save policy”.'
            : `Filled in “${chosen}”. Check the rules, then save the policy.`}
        </span>
      </Note>
    </Section>
  )
}

const LICENSE_IDS = 'license-ids'

/** Suggestions for the fields of licenses: the identifiers of SPDX, which are loaded with the first rule. */
function LicenseIds() {
  const { data = [] } = useQuery({
    queryKey: ['spdx-license-ids'],
    queryFn: async () => (await import('spdx-license-ids/index.json', { with: { type: 'json' } })).default,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <datalist id={LICENSE_IDS}>
      {data.map((id) => (
        <option key={id} value={id} />
      ))}
    </datalist>
  )
}

const newRule: LicenseRule = { license: '', severity: 'medium' }

interface VerdictProps {
  readonly label: string
  readonly description?: string
  readonly value: LicenseVerdict
  readonly onChange: (value: LicenseVerdict) => void
}

function VerdictChoice({ onChange, ...field }: VerdictProps) {
  return (
    <NativeSelect
      {...field}
      data={verdictChoices}
      onChange={(event) => onChange(event.currentTarget.value as LicenseVerdict)}
    />
  )
}

interface RuleProps {
  readonly number: number
  readonly rule: LicenseRule
  readonly fault: string | undefined
  readonly onChange: (part: Partial<LicenseRule>) => void
  readonly onRemove: () => void
}

function RuleFields({ number, rule, fault, onChange, onRemove }: RuleProps) {
  const name = rule.license || `rule ${number}`
  return (
    <Paper component="fieldset" withBorder p="sm" m={0} miw={0} aria-label={`Rule ${number}`}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="License"
          placeholder="AGPL-3.0-only"
          list={LICENSE_IDS}
          {...textField(rule.license, (license) => onChange({ license }), fault)}
          maxLength={200}
          spellCheck={false}
          required
          flex="1 1 12rem"
        />
        <VerdictChoice label="Severity" value={rule.severity} onChange={(severity) => onChange({ severity })} />
        <TextInput
          label="Instructions"
          placeholder="Shown with the issue"
          value={rule.instructions ?? ''}
          onChange={(event) => onChange({ instructions: event.currentTarget.value })}
          maxLength={2000}
          flex="2 1 12rem"
        />
        <Button size="compact-sm" mb={4} variant="default" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </Group>
    </Paper>
  )
}
