import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import type { OrgOverview } from '../../api/resources.ts'
import { Note } from '../../components/note.tsx'
import { paths } from '../../navigation/paths.ts'
import { PageLink } from '../../ui/links.tsx'
import { countOf } from '../../ui/words.ts'

/** Counts vulnerabilities after their due date. Shown only with due dates. */
export function Due({ orgId, due }: { orgId: string; due: OrgOverview['due'] }) {
  const id = useId()
  if (due === null) return null
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Stack gap={6}>
        <Group justify="space-between">
          <Title order={2} size="h5" id={id}>
            Overdue
          </Title>
          <PageLink to={`${paths.orgSettings(orgId)}`} size="sm">
            Due dates
          </PageLink>
        </Group>
        {due.overdue === 0 ? (
          <Text>None</Text>
        ) : (
          <PageLink to={`${paths.issues(orgId)}?due=overdue`} fw={700} size="xl" w="fit-content">
            {countOf(due.overdue, 'vulnerability', 'vulnerabilities')}
          </PageLink>
        )}
        <Note size="sm">{due.soon.toLocaleString()} due within 7 days</Note>
      </Stack>
    </Paper>
  )
}
