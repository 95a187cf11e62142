import { describe, expect, it } from "vitest";
import { secretValues } from "./secret-values.ts";

const names = (env: Record<string, string>): readonly string[] => secretValues(env).map(({ name }) => name);

describe("secretValues", () => {
  it.each([
    ["ANTHROPIC_API_KEY", "sk-ant-0123456789"],
    ["OPENAI_APIKEY", "sk-0123456789"],
    ["GITHUB_TOKEN", "ghp_0123456789abcdef"],
    ["AWS_SECRET_ACCESS_KEY", "/K7MDENGbPxRfiCYzEXAMPLEKEY0123456789abc"],
    ["aws_secret_access_key", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY"],
    ["DB_PASSWORD", "correct horse battery staple"],
    ["PGPASSWORD", "swordfish"],
    ["MYSQL_PWD", "swordfish"],
    ["SMTP_PASS", "swordfish"],
    ["SESSION_COOKIE", "abcdefgh1"],
    ["HTTP_AUTH", "user:swordfish"],
    ["GOOGLE_APPLICATION_CREDENTIALS_JSON", '{"private_key":"x"}'],
    ["npm_config_//registry.example/:_authToken", "npm_0123456789"],
  ])("takes %s", (name, value) => {
    expect(secretValues({ [name]: value })).toContainEqual({ name, value });
  });

  it.each([
    ["PATH", "/usr/bin:/bin"],
    ["PWD", "/home/someone/project"],
    ["AUTHOR", "Somebody Else"],
    ["GIT_AUTHOR_NAME", "Somebody Else"],
    ["KEYBOARD_LAYOUT", "us-international"],
    ["SSH_AUTH_SOCK", "/tmp/ssh-abc/agent.1"],
    ["TLS_KEY_FILE", "/etc/ssl/private/server.key"],
    ["SSH_KEY", "~/.ssh/id_ed25519"],
    ["SECRET_FILE", "./secret.txt"],
    ["TOKENIZERS_PARALLELISM", "false"],
    ["TOKEN", "short"],
    ["MAX_TOKENS", "1000000000"],
    ["TOKEN_EXPIRY", "2026-12-01 10:00:00"],
    ["POSTGRES_PASSWORD", "postgres"],
    ["DB_PASSWORD", "password"],
    ["API_KEY", "xxxxxxxxxxxx"],
    ["API_KEY", ""],
    ["HOMEPAGE", "https://example.com/"],
  ])("leaves %s=%s", (name, value) => {
    expect(secretValues({ [name]: value })).toEqual([]);
  });

  it("takes the password out of an address, as written and decoded", () => {
    expect(secretValues({ DATABASE_URL: "postgres://app:p%40ssw0rd!@db.example/app" })).toEqual([
      { name: "DATABASE_URL", value: "p%40ssw0rd!" },
      { name: "DATABASE_URL", value: "p@ssw0rd!" },
    ]);
    expect(names({ DATABASE_URL: "postgres://app@db.example/app" })).toEqual([]);
    expect(names({ DATABASE_URL: "postgres://postgres:postgres@localhost/app" })).toEqual([]);
  });

  it("takes the lines of a key file one by one too", () => {
    const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
    const value = `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----`;
    expect(secretValues({ DEPLOY_KEY: `${value}\n` })).toEqual([
      { name: "DEPLOY_KEY", value },
      { name: "DEPLOY_KEY", value: line },
    ]);
  });

  it("is not disturbed by an absent value", () => {
    expect(secretValues({ API_KEY: undefined })).toEqual([]);
  });
});
