import { Checkbox, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { readGraph, readPackageIssues } from '../../../../api/dependency-graph.ts'
import { FoldedFilters } from '../../../../components/folded-filters.tsx'
import { Note } from '../../../../components/note.tsx'
import { ReadingAlert } from '../../../../components/refusal-alert.tsx'
import { withParameters } from '../../../../router/history.ts'
import { useSearchParams } from '../../../../router/react.tsx'
import { Empty } from '../../../../ui/empty.tsx'
import { countOf } from '../../../../ui/words.ts'
import type { OfProject } from '../of-project.ts'
import { isVulnerable, pathsTo, type Tree, type TreeNode, toTree } from './tree.ts'
import { TreeView } from './tree-view.tsx'

/** Shows the dependency graph as a tree, with the paths to affected packages open. */
export function ProjectDependencies({ orgId, project }: OfProject) {
  const reading = useQuery({
    queryKey: ['project', orgId, project.id, 'graph'],
    queryFn: async () => {
      const [graph, issues] = await Promise.all([readGraph(orgId, project.id), readPackageIssues(orgId, project.id)])
      return toTree(graph, issues)
    },
  })
  if (reading.isError) return <ReadingAlert title="Could not load the dependencies" reading={reading} />
  if (!reading.data) return <Skeleton height={480} role="status" aria-label="Loading dependencies" />
  if (reading.data.nodes.length <= 1) {
    return <Empty title="No dependencies">The last test found none. The coverage lists what was read.</Empty>
  }
  return <Explorer tree={reading.data} />
}

const isAffected = ({ issues }: TreeNode) => issues !== undefined

function Explorer({ tree }: { tree: Tree }) {
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get('package')?.toLowerCase() ?? ''
  const onlyVulnerable = parameters.get('show') === 'vulnerable'
  const affected = tree.nodes.filter(isAffected)
  const matches = search === '' ? undefined : tree.nodes.filter(({ name }) => name.toLowerCase().includes(search))
  const paths = useMemo(
    () => pathsTo(tree, search === '' ? isAffected : ({ name }) => name.toLowerCase().includes(search)),
    [tree, search],
  )
  const isShown = useCallback(
    (node: TreeNode) => (search === '' || paths.nodes.has(node)) && (!onlyVulnerable || isVulnerable(node)),
    [paths, search, onlyVulnerable],
  )
  const change = (name: string, value: string) =>
    setParameters(withParameters(parameters, { [name]: value || undefined }), { replace: true })
  const packages = new Set(tree.nodes.slice(1).map(({ name, version }) => `${name}@${version}`)).size
  return (
    <Paper withBorder p="md" component="section" aria-label="Dependency graph">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end" gap="sm">
          <Stack gap={0}>
            <Title order={2} size="h5">
              {countOf(packages, 'package')}
            </Title>
            <Note size="sm">
              {affected.length === 0
                ? 'None has open issues.'
                : `${affected.length.toLocaleString()} with open issues; a shortest path to each is open.`}
            </Note>
          </Stack>
          <Group gap="md" align="center">
            <TextInput
              aria-label="Find a package"
              flex="1 1 10rem"
              placeholder="Find a package"
              value={parameters.get('package') ?? ''}
              onChange={({ currentTarget: { value } }) => change('package', value)}
            />
            <FoldedFilters active={onlyVulnerable ? 1 : 0}>
              <Checkbox
                label="Vulnerable paths only"
                checked={onlyVulnerable}
                disabled={affected.length === 0}
                onChange={({ currentTarget: { checked } }) => change('show', checked ? 'vulnerable' : '')}
              />
            </FoldedFilters>
          </Group>
        </Group>
        {matches && (
          <Text size="sm" role="status">
            {matches.length === 0 ? 'No package has this name.' : `${matches.length.toLocaleString()} found.`}
          </Text>
        )}
        <TreeView
          key={`${search} ${onlyVulnerable}`}
          tree={tree}
          initial={paths.expanded}
          isShown={isShown}
          search={search}
        />
      </Stack>
    </Paper>
  )
}
