import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { call } from '../../../api/client.ts'
import type { ProjectChange } from '../../../api/resources.ts'
import { Deletion } from '../../../components/deletion.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { paths } from '../../../navigation/paths.ts'
import { Section } from '../../../ui/section.tsx'
import { ProjectLabels } from './labels.tsx'
import type { OfProject } from './of-project.ts'
import { ProjectTags } from './tags.tsx'
import { useChange } from './use-change.ts'
import { frequencies } from './words.ts'

export function ProjectSettings(of: OfProject) {
  const { orgId, project } = of
  return (
    <Stack gap="lg">
      <Watching {...of} />
      <ProjectLabels {...of} />
      <ProjectTags {...of} />
      <Deletion
        name={project.attributes.name}
        kind="project"
        words="Its history and ignores are deleted too."
        listKeys={[
          ['projects', orgId],
          ['ignores', orgId],
        ]}
        backTo={paths.projects(orgId)}
        remove={() => call('deleteOrgProject', { params: { org_id: orgId, project_id: project.id } })}
      >
        Its history and ignores are deleted. This cannot be undone. The next import of its repository creates it again.
      </Deletion>
    </Stack>
  )
}

function Watching(of: OfProject) {
  const { orgId, project } = of
  const { status, settings } = project.attributes
  const isActive = status === 'active'
  const switching = useChange(of, () =>
    call(isActive ? 'deactivateProjectV1' : 'activateProjectV1', { params: { orgId, projectId: project.id } }),
  )
  const rescheduling = useChange(of, (test_frequency: NonNullable<ProjectChange['test_frequency']>) =>
    call('updateOrgProject', {
      params: { org_id: orgId, project_id: project.id },
      body: { data: { id: project.id, type: 'project', attributes: { test_frequency } } },
    }),
  )
  const error = switching.error ?? rescheduling.error
  return (
    <Section title="Watching">
      <NativeSelect
        label="Tested again"
        description="New advisories are matched at any time, without a test"
        maw="18rem"
        value={settings.recurring_tests.frequency}
        disabled={rescheduling.isPending}
        onChange={(event) => rescheduling.mutate(event.currentTarget.value as keyof typeof frequencies)}
        data={Object.entries(frequencies).map(([value, label]) => ({ value, label }))}
      />
      <Group justify="space-between" gap="sm">
        <Text span>
          {isActive
            ? 'An inactive project keeps its data but is not retested.'
            : 'An active project is retested regularly.'}
        </Text>
        <Button variant="default" loading={switching.isPending} onClick={() => switching.mutate()}>
          {isActive ? 'Deactivate' : 'Activate'}
        </Button>
      </Group>
      {error && <RefusalAlert title="Not saved" error={error} />}
    </Section>
  )
}
