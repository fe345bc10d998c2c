//! The options of `dlbench run` that are about a cluster.

use clap::Args;

#[derive(Debug, Args)]
pub(in crate::cli) struct SlurmArgs {
    /// Measure on a cluster: one Slurm job for each configuration, with all its frameworks, on its own node, in this partition or in
    /// Slurm's default one; the same command again goes on where it was stopped
    #[arg(
        long,
        value_name = "PARTITION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "wanted"
    )]
    pub slurm: Option<String>,
    /// An option of sbatch for each job: --sbatch=--time=2:00:00, --sbatch=--gres=gpu:1
    #[arg(long, value_name = "OPTION", requires = "slurm", require_equals = true)]
    pub sbatch: Vec<String>,
    /// A shell line that begins each job: --slurm-setup="module load cuda"
    #[arg(long, value_name = "LINE", requires = "slurm", require_equals = true)]
    pub slurm_setup: Vec<String>,
}
