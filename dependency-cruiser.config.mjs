/**
 * Who may import whom. Imports point one way: programs, then the runtime layers, then the pure rules. Programs do not
 * know each other; what two of them need moves down a layer (kube, store, judging, benchmark), never sideways.
 * Inside a layer, files and folders form no cycle, type imports included.
 */
const layers = {
  benchmark: [],
  crds: ['benchmark'],
  kube: ['benchmark', 'crds'],
  store: ['benchmark'],
  mail: ['benchmark'],
  judging: ['store', 'benchmark'],
  operator: ['kube', 'crds', 'benchmark'],
  sidecar: ['store', 'mail', 'benchmark'],
  jobs: ['judging', 'kube', 'crds', 'store', 'mail', 'benchmark'],
  // Image building is a tool of the repository, and so is the code that builds images on this machine.
  images: ['benchmark', 'test'],
  cli: ['operator', 'sidecar', 'judging', 'kube', 'crds', 'store', 'mail', 'benchmark'],
};

/**
 * Inside operator/ as well: from standalone runs and batches to their runs, to Pods and Jobs, to the ground files at the
 * root of operator/ (conditions, labels, timestamps, …). Only main.ts and controllers.ts are above the folders, and
 * deps.ts names types of pod/ and progress/, which therefore do not know it.
 */
const operatorFolders = {
  progress: [],
  pod: [],
  job: ['pod'],
  'mailbox-cleanup': ['job', 'pod'],
  run: ['mailbox-cleanup', 'job', 'pod', 'progress'],
  batch: ['run', 'job', 'pod', 'progress'],
  'standalone-run': ['batch', 'run', 'job', 'pod', 'progress'],
};
const operatorFolderNames = Object.keys(operatorFolders);

function operatorFolderRule([folder, below]) {
  const above = operatorFolderNames.filter((other) => other !== folder && !below.includes(other));
  const files = ['main', 'controllers', ...(below.length === 0 ? ['deps'] : [])];
  return {
    name: `operator-${folder}`,
    comment: `operator/${folder}/ may import: ${below.join(', ') || "none of the operator's other folders"}.`,
    severity: 'error',
    from: { path: `^operator/${folder}/` },
    to: { path: `^operator/((${above.join('|')})/|(${files.join('|')})\\.ts$)` },
  };
}

const programs = [...Object.keys(layers), 'test'];

function layerRule([layer, below]) {
  const others = programs.filter((other) => other !== layer && !below.includes(other));
  return {
    name: `layer-${layer}`,
    comment: `${layer}/ may import: ${below.join(', ') || 'nothing of ours'}.`,
    severity: 'error',
    from: { path: `^${layer}/` },
    to: { path: `^(${others.join('|')})/` },
  };
}

export default {
  forbidden: [
    ...Object.entries(layers).map(layerRule),
    ...Object.entries(operatorFolders).map(operatorFolderRule),
    {
      name: 'operator-ground-files',
      comment: 'The ground files of operator/ import none of its folders.',
      severity: 'error',
      from: { path: '^operator/[^/]+\\.ts$', pathNot: '^operator/(main|controllers|deps)\\.ts$' },
      to: { path: `^operator/(${operatorFolderNames.join('|')})/` },
    },
    {
      name: 'benchmark-is-pure',
      comment: 'benchmark/ holds rules and does no I/O.',
      severity: 'error',
      from: { path: '^benchmark/' },
      to: {
        path: '^((node:)?(fs|fs/promises|net|http|https|child_process|dns)$|node_modules/(undici|@aws-sdk|@kubernetes)/)',
      },
    },
    {
      name: 'no-cycle',
      comment: 'Files form no cycle: move what both need into a file of its own below them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-cycle-of-folders',
      comment: 'Folders form no cycle: a folder lies above or below another.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.(test|fixture|contract)\\.ts$', '/testing/'] },
  },
};
