import { Progress as Bar, Group, Text } from '@mantine/core'
import type { Progress } from '../../../api/imports.ts'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { countManifests, describeProgress, stateOf } from './words.ts'

/** The state of an import in words and as a bar. */
export function ImportProgress({ progress }: { progress: Progress }) {
  const { done, failed } = progress.manifests
  const all = countManifests(progress)
  const percent = (part: number) => (all === 0 ? 0 : (part / all) * 100)
  const { tone, word } = stateOf(progress)
  const isPending = progress.state === 'pending'
  return (
    <>
      <Group gap="sm">
        <StateBadge tone={tone}>{word}</StateBadge>
        <Text size="sm" role="status" aria-live="polite">
          {describeProgress(progress)}
        </Text>
      </Group>
      <Bar.Root size="lg" aria-label="Manifests">
        <Bar.Section
          value={isPending && all === 0 ? 100 : percent(done)}
          color="pine.7"
          striped={isPending}
          animated={isPending}
          aria-label="Imported"
        />
        <Bar.Section value={percent(failed)} color="red.8" aria-label="Failed" />
      </Bar.Root>
    </>
  )
}
