import { type Button, type CSSVariablesResolver, createTheme, type Input, type MantineColorsTuple } from '@mantine/core'

const pine: MantineColorsTuple = [
  '#eef7f4',
  '#e0f0ec',
  '#b9ddd3',
  '#8fcabb',
  '#6ccbb6',
  '#3aa48f',
  '#2f8f7c',
  '#17695a',
  '#115c4e',
  '#0f5347',
]

// The library uses the fifth color of gray and dark for borders of fields, which need a contrast of 3 to 1.
const gray: MantineColorsTuple = [
  '#f3f6f6',
  '#eff3f3',
  '#e8eded',
  '#dce3e3',
  '#7f8d8f',
  '#7b898b',
  '#6d7b7d',
  '#5b696b',
  '#485557',
  '#14201f',
]

const dark: MantineColorsTuple = [
  '#e7eeed',
  '#b2bfbf',
  '#93a2a2',
  '#7b8b8d',
  '#6f7f81',
  '#222b2c',
  '#1a2122',
  '#151b1c',
  '#0e1314',
  '#0a0e0f',
]

const systemFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif'

const buttons: Parameters<typeof Button.extend>[0] = {
  vars: (_, { variant = 'filled', color, size = 'sm' }) => ({
    root: {
      ...(size === 'sm' && { '--button-height': '32px', '--button-padding-x': '12px', '--button-fz': '0.8125rem' }),
      ...(variant === 'filled' && color === undefined && { '--button-color': 'var(--on-brand)' }),
    },
  }),
}

const inputs: Parameters<typeof Input.extend>[0] = {
  vars: (_, { size = 'sm' }) => ({
    wrapper: size === 'sm' ? { '--input-height': '32px', '--input-fz': '0.8125rem' } : {},
  }),
}

const dialogs = {
  closeButtonProps: { 'aria-label': 'Close' },
  // The header of a dialog is not a banner of the document.
  attributes: { header: { role: 'none' } },
}

/** Uses system fonts; nothing is fetched from other servers. */
export const theme = createTheme({
  colors: { pine, gray, dark },
  black: '#14201f',
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  radius: { sm: '4px', md: '6px', lg: '10px', xl: '12px' },
  fontFamily: systemFont,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.34', sm: '1.43', md: '1.43', lg: '1.45', xl: '1.4' },
  headings: {
    fontFamily: systemFont,
    fontWeight: '600',
    sizes: {
      h2: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h3: { fontSize: '1rem', lineHeight: '1.5rem' },
      h4: { fontSize: '0.875rem', lineHeight: '1.25rem' },
      h5: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Plain objects, so that a page loads only the components that it shows.
    Alert: { classNames: { title: 'alert-title' } },
    Button: buttons,
    Input: inputs,
    Paper: { defaultProps: { radius: 'lg' } },
    Modal: { defaultProps: { ...dialogs, radius: 'xl' } },
    Drawer: { defaultProps: { ...dialogs, position: 'right' } },
  },
})

const filledRed = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#b02525',
}

const colors = {
  ...filledRed,
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text3)',
  '--mantine-color-placeholder': 'var(--text3)',
  '--mantine-color-anchor': 'var(--brand-text)',
  '--mantine-color-default-border': 'var(--border)',
  '--mantine-color-error': 'var(--danger-text)',
  '--mantine-color-red-outline': 'var(--danger-text)',
  '--mantine-color-pine-filled': 'var(--brand)',
  '--mantine-color-pine-filled-hover': 'var(--brand-hover)',
  '--mantine-color-pine-light': 'var(--brand-soft)',
  '--mantine-color-pine-light-hover': 'var(--brand-soft)',
  '--mantine-color-pine-light-color': 'var(--brand-text)',
  '--mantine-color-pine-text': 'var(--brand-text)',
  '--mantine-color-yellow-light': 'var(--warn-soft)',
  '--mantine-color-yellow-light-color': 'var(--warn-text)',
  '--mantine-color-red-light': 'var(--danger-soft)',
  '--mantine-color-red-light-color': 'var(--danger-text)',
  '--mantine-color-green-light': 'var(--ok-soft)',
  '--mantine-color-green-light-color': 'var(--ok-text)',
}

/** The library's colors by use, from `tokens.css`. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: colors, dark: colors })
