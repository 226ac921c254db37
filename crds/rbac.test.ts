import { describe, expect, it } from 'vitest';
import * as rbac from './rbac.ts';
import type { PolicyRule } from './rbac.ts';

const roles: [string, readonly PolicyRule[]][] = Object.entries(rbac).filter(
  (entry): entry is [string, readonly PolicyRule[]] => Array.isArray(entry[1]),
);
const rights = (rules: readonly PolicyRule[]): string[] =>
  rules.flatMap((rule) => rule.resources.flatMap((resource) => rule.verbs.map((verb) => `${verb} ${resource}`)));

describe('permissions', () => {
  it('cover six roles', () => {
    expect(roles.map(([name]) => name).sort()).toEqual([
      'EDIT_RULES',
      'JUDGE_RULES',
      'LEADER_RULES',
      'OPERATOR_RULES',
      'PREPARE_RULES',
      'VIEW_RULES',
    ]);
  });

  it.each(roles)('%s has no wildcard, no Secrets, no access into Pods, no escalation', (_, rules) => {
    for (const rule of rules) {
      const words = [...rule.apiGroups, ...rule.resources, ...rule.verbs];
      expect(words).not.toContain('*');
      expect(rule.resources.filter((name) => /^(secrets|pods\/|nodes|impersonate)/.test(name))).toEqual([]);
      expect(rule.verbs.filter((verb) => ['escalate', 'impersonate', 'use'].includes(verb))).toEqual([]);
    }
  });

  it('let the operator bind exactly the two roles of its Jobs', () => {
    const bind = rbac.OPERATOR_RULES.filter((rule) => rule.verbs.includes('bind'));
    expect(bind.map((rule) => rule.resourceNames)).toEqual([['clawbench-prepare', 'clawbench-judge']]);
  });

  it('give the operator only the verbs that it uses for each kind', () => {
    const verbs = (resource: string): string[] =>
      rbac.OPERATOR_RULES.filter((rule) => rule.resources.includes(resource)).flatMap((rule) => [...rule.verbs]);
    const read = ['get', 'list', 'watch'];
    expect(verbs('configmaps')).toEqual(['get', 'create']);
    expect(verbs('jobs')).toEqual([...read, 'create', 'patch', 'delete']);
    expect(verbs('clawbenchbatches')).toEqual([...read, 'delete']);
    expect(verbs('clawbenchruns')).toEqual([...read, 'create', 'delete']);
    expect(verbs('pods')).toEqual([...read, 'create', 'patch', 'delete']);
    for (const status of ['clawbenchbatches/status', 'clawbenchruns/status']) expect(verbs(status)).toEqual(['patch']);
  });

  it('limit prepare to one read and one write', () => {
    expect(rights(rbac.PREPARE_RULES)).toEqual(['get clawbenchbatches', 'create configmaps']);
  });

  it('limit the judge to reading and to the status of runs', () => {
    expect(rights(rbac.JUDGE_RULES)).toEqual([
      'get clawbenchbatches',
      'get clawbenchruns',
      'list clawbenchruns',
      'patch clawbenchruns/status',
    ]);
  });

  it('do not allow users to write the status', () => {
    expect(rights(rbac.EDIT_RULES).filter((right) => right.includes('/'))).toEqual([]);
  });
});
