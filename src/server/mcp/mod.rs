//! The interface for assistants: the Model Context Protocol over stdin and stdout, with no other output there.
//!
//! Each tool is a row of `tools::all`. A mistake of the assistant is returned as the result of its call, with help, so
//! that it can correct it; only calls of unknown tools are protocol errors. Lines that are not JSON are skipped, as by
//! the protocol's own libraries, and lines longer than 16 MiB are dropped before they use memory.

mod drain;
mod fit;
mod output;
mod reply;
mod resources;
mod schemas;
mod tools;

use std::io::ErrorKind;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{QuitReason, RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::live::LiveKnowledgeBase;
use drain::{DrainedInput, InFlight};
use output::Output;
use reply::Reply;
use tools::AssistantTool;

/// Number of calls that are answered concurrently: an assistant makes few at once.
pub const CALLS_AT_A_TIME: usize = 2;

/// Why the protocol ended other than by a closed stdin.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// The system lacks resources.
    #[error("cannot start: {0}")]
    Start(#[from] std::io::Error),
    /// The client did not begin with the protocol's handshake.
    #[error("this speaks the Model Context Protocol, and what came on stdin does not begin so: {0}")]
    Beginning(String),
    /// The answers could not be written.
    #[error("cannot write the answers: {0}")]
    Output(std::io::Error),
    /// A task failed.
    #[error("the conversation broke off: {0}")]
    Broken(String),
}

/// Answers on stdin and stdout until stdin is closed.
///
/// # Errors
///
/// When the input does not follow the protocol, or the system lacks resources.
pub fn run(live: Arc<LiveKnowledgeBase>, version: &'static str) -> Result<(), McpError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(converse(Assistant { live, version, tools: tools::all(), in_flight: Arc::default() }));
    // A blocked read of stdin cannot be cancelled: without this, the process would wait for another line.
    runtime.shutdown_background();
    ended
}

async fn converse(assistant: Assistant) -> Result<(), McpError> {
    let (input, out) = rmcp::transport::stdio();
    let (output, failure) = Output::over(out, Arc::clone(&assistant.in_flight));
    let input = DrainedInput::over(input, Arc::clone(&assistant.in_flight));
    let ended = conversation(assistant, (input, output)).await;
    match failure.get() {
        // A client that closes the output pipe wants no further answers.
        Some(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(McpError::Output(std::io::Error::new(error.kind(), error.to_string())))
        }
        _ => ended,
    }
}

async fn conversation<I, O>(assistant: Assistant, over: (I, Output<O>)) -> Result<(), McpError>
where
    I: AsyncRead + Send + Unpin + 'static,
    O: AsyncWrite + Send + Unpin + 'static,
{
    let conversation = match assistant.serve(over).await {
        Ok(conversation) => conversation,
        // There was no request.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(ServerInitializeError::ExpectedInitializeRequest(_)) => {
            return Err(McpError::Beginning("the first message is not a request `initialize`".to_owned()));
        }
        // The output has stored the failure to write.
        Err(ServerInitializeError::TransportError { .. }) => return Ok(()),
        Err(error) => return Err(McpError::Beginning(error.to_string())),
    };
    match conversation.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(McpError::Broken(error.to_string())),
        Ok(_) => Ok(()),
    }
}

/// The protocol server.
struct Assistant {
    live: Arc<LiveKnowledgeBase>,
    version: &'static str,
    tools: Vec<AssistantTool>,
    in_flight: Arc<InFlight>,
}

/// Instructions for the assistant before its first call.
const INSTRUCTIONS: &str = "\
dlbench knows measured numbers and curated facts of deep learning: which hardware ran which network how fast, in which framework, \
at which precision and batch size, and who says so. Ask with `query` first, in plain words or with a structured question; `compare` sets measurements against each other; \
`evidence` holds what surveys claim against them; `show` tells all about one entity or measurement; `resolve` reads a spelling; `cite` gives references.
Every number is copied from its source. Quote it with the id of its measurement (`u39kun-2018:8wqbgj9ves`) and name the source, so that \
it can be checked with `show`. What is missing or null is not known: it is neither 0 nor a default. Values listed under `derived` \
are computed. Read `remarks` before ranking: they say what cannot be compared. `unread` names words that were not understood. Replies are \
short: `left_out` counts what is missing, and `most_bytes`, `limit`, `facts` or `fields` ask for more or less.";

impl ServerHandler for Assistant {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_resources().build())
            .with_server_info(Implementation::new("dlbench", self.version).with_title("dlbench"))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(AssistantTool::described).collect()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let _in_flight = self.in_flight.call();
        let cursor = request.and_then(|request| request.cursor);
        let listed = self.live.now().ask(move |kb| resources::listed(cursor.as_deref(), kb)).await;
        let (resources, next_cursor) =
            listed.map_err(|refusal| ErrorData::invalid_params(refusal.full_text(), None))?;
        Ok(ListResourcesResult { next_cursor, ..ListResourcesResult::with_all_items(resources) })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let _in_flight = self.in_flight.call();
        let read = self.live.now().ask(move |kb| resources::read(&request.uri, kb)).await;
        let contents = read.map_err(|refusal| ErrorData::resource_not_found(refusal.full_text(), None))?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name() == request.name) else {
            let names: Vec<&str> = self.tools.iter().map(AssistantTool::name).collect();
            let message = format!("there is no tool `{}`; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let _in_flight = self.in_flight.call();
        let arguments = request.arguments.unwrap_or_default();
        let call = tool.call();
        let state = self.live.now();
        let replied = state.ask(move |kb| call(kb, arguments)).await;
        Ok(replied.unwrap_or_else(|refusal| Reply::refused(&refusal)).into_result().into())
    }
}
