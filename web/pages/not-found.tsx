import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Empty title="Nothing is at this address">
        <Anchor component={Link} to={paths.overview}>
          Go to the overview
        </Anchor>
      </Empty>
    </Page>
  )
}
