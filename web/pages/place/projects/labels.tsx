import { Button, Checkbox, Group, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import type { Labels } from '../../../api/resources.ts'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { Section } from '../../../ui/section.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import type { OfProject } from './of-project.ts'
import { useChange } from './use-change.ts'
import { criticalities, environments, lifecycles } from './words.ts'

const kinds = [
  { name: 'criticality', label: 'Business criticality', words: criticalities },
  { name: 'environment', label: 'Environment', words: environments },
  { name: 'lifecycle', label: 'Lifecycle', words: lifecycles },
] as const

export function ProjectLabels(of: OfProject) {
  const { orgId, project } = of
  const { business_criticality: criticality, environment, lifecycle } = project.attributes
  const [changed, setChanged] = useState<Partial<Labels>>({})
  const next: Labels = { criticality, environment, lifecycle, ...changed }
  const saving = useChange(of, (labels: Labels) =>
    call('setProjectAttributesV1', { params: { orgId, projectId: project.id }, body: labels }),
  )

  function save() {
    saving.mutate(next, { onSuccess: () => setChanged({}) })
  }
  function change(name: keyof Labels, values: string[]) {
    saving.reset()
    setChanged({ ...changed, [name]: values })
  }

  const isSame = kinds.every(({ name }) => isSameChoice(next[name], { criticality, environment, lifecycle }[name]))
  return (
    <Section title="Labels">
      <SubmitForm onSubmit={save} aria-label="Labels">
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {kinds.map(({ name, label, words }) => (
            <Checkbox.Group
              key={name}
              label={label}
              value={[...next[name]]}
              onChange={(values) => change(name, values)}
              error={faultOf(saving.error, name)}
              disabled={saving.isPending}
            >
              {Object.entries(words).map(([value, text]) => (
                <Checkbox key={value} value={value} label={text} mt="xs" />
              ))}
            </Checkbox.Group>
          ))}
        </SimpleGrid>
        <Group mt="lg">
          <Button type="submit" variant="default" loading={saving.isPending} disabled={isSame}>
            Save labels
          </Button>
        </Group>
      </SubmitForm>
      {saving.error && <RefusalAlert title="Labels not saved" error={saving.error} />}
    </Section>
  )
}

function isSameChoice(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((choice) => b.includes(choice))
}
