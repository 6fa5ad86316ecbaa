import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { testFormats } from '../../../src/client/api/test-formats.generated.ts'
import type { OrgOverview } from '../../api/resources.ts'
import { Note } from '../../components/note.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { Age } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Table } from '../../ui/table.tsx'

interface Props {
  readonly of: OrgOverview['advisories']
  /** Starts a sync. */
  readonly sync?: ReactNode
}

export function Advisories({ of, sync }: Props) {
  return (
    <Section title="Advisories">
      <Stack gap="sm">
        {of.is_starter_set && <StarterSetAlert />}
        <Table aria-label="Advisories of each registry" verticalSpacing={6} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Registry</Table.Th>
              <Table.Th scope="col" ta="right">
                Records
              </Table.Th>
              <Table.Th scope="col" ta="right">
                Newest
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {everyRegistry(of.registries).map(({ registry, records, newest }) => (
              <Table.Tr key={registry}>
                <Table.Td>
                  {registry}
                  <Note>{formatsOf(registry)}</Note>
                </Table.Td>
                <Table.Td ta="right">{records.toLocaleString()}</Table.Td>
                <Table.Td ta="right">{newest && <Age time={newest} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Note size="sm">
          Read <Age time={of.checked_at} /> from {of.source}.
        </Note>
        {sync}
      </Stack>
    </Section>
  )
}

/** Adds the registries without any advisory, whose packages are never found vulnerable. */
function everyRegistry(facts: OrgOverview['advisories']['registries']) {
  const read = new Set(testFormats.flatMap((format) => ('registry' in format ? [format.registry] : [])))
  const missing = [...read].filter((name) => facts.every(({ registry }) => registry !== name))
  return [...facts, ...missing.map((registry) => ({ registry, records: 0, newest: null }))]
}

/** Names the package managers whose packages come from a registry. */
function formatsOf(registry: string): string {
  return testFormats
    .filter((format) => 'registry' in format && format.registry === registry)
    .map(({ label }) => label)
    .join(', ')
}

function StarterSetAlert() {
  return (
    <Alert color="yellow" icon={<WarningIcon />} title="Only the starter set is in use">
      <Text size="sm">
        It holds only some well-known vulnerabilities. Until all public advisories are loaded, a clean result means
        little.
      </Text>
    </Alert>
  )
}
