import { Migration } from "@mikro-orm/migrations";

/**
 * The tables of sign-in, in a schema of their own: better-auth 1.7 owns their form and its names
 * are in camel case. What is ours about a person (memberships, the operator's flag) stands in the
 * public schema and refers to `auth."user".id` as text.
 */
export class Migration0003SignIn extends Migration {
  override up(): void {
    this.addSql(signIn);
  }
}

const signIn = `
create schema if not exists auth;

create table auth."user" (
  "id" text primary key,
  "name" text not null,
  "email" text not null unique,
  "emailVerified" boolean not null default false,
  "image" text,
  "createdAt" timestamptz(3) not null default current_timestamp,
  "updatedAt" timestamptz(3) not null default current_timestamp
);

create table auth."session" (
  "id" text primary key,
  "expiresAt" timestamptz(3) not null,
  "token" text not null unique,
  "createdAt" timestamptz(3) not null default current_timestamp,
  "updatedAt" timestamptz(3) not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references auth."user" ("id") on delete cascade
);
create index session_user_id_index on auth."session" ("userId");

create table auth."account" (
  "id" text primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references auth."user" ("id") on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz(3),
  "refreshTokenExpiresAt" timestamptz(3),
  "scope" text,
  "password" text,
  "createdAt" timestamptz(3) not null default current_timestamp,
  "updatedAt" timestamptz(3) not null
);
create index account_user_id_index on auth."account" ("userId");

create table auth."verification" (
  "id" text primary key,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" timestamptz(3) not null,
  "createdAt" timestamptz(3) not null default current_timestamp,
  "updatedAt" timestamptz(3) not null default current_timestamp
);
create index verification_identifier_index on auth."verification" ("identifier");

create table auth."rateLimit" (
  "id" text primary key,
  "key" text not null unique,
  "count" integer not null,
  "lastRequest" bigint not null
);
`;
