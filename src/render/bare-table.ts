/** A cli-table3 table without lines around its cells: columns with a space between them. */
export const BARE_TABLE = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: ' ',
  },
  style: { head: [] as string[], border: [] as string[], 'padding-left': 0, 'padding-right': 0 },
};
