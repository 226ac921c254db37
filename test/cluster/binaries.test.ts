import { expect, it } from 'vitest';
import { buildKey, isPackage } from './binaries.ts';

it('the build key changes with each source and the compiler, and text can not move from one to the next', () => {
  const keys = [
    buildKey(['mod', 'sum', 'main'], 'go1.26.8'),
    buildKey(['mod', 'sum', 'main2'], 'go1.26.8'),
    buildKey(['mod', 'sum', 'main'], 'go1.26.9'),
    buildKey(['mods', 'um', 'main'], 'go1.26.8'),
  ];
  expect(new Set(keys).size).toBe(4);
  expect(buildKey(['mod', 'sum', 'main'], 'go1.26.8')).toBe(keys[0]);
});

it.each([
  ['k8s.io/kubernetes/pkg/kubelet/cm', true],
  ['internal/goarch', true],
  ['gopkg.in/yaml.v3', true],
  ['runtime', true],
  ['go: downloading k8s.io/api v0.36.3', false],
  ['# k8s.io/kubernetes/pkg/kubelet', false],
  ['pkg/kubelet/kubelet.go:12:3: undefined: x', false],
  ['', false],
])('of what go build -v says, %j is a compiled package: %s', (line, expected) => {
  expect(isPackage(line)).toBe(expected);
});
